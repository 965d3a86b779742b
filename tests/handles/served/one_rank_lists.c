/* From time to time one rank alone lists the parts of all, in a loop in which a part that does not fit ends the run together with MPI:
   nobody meets there, so the loop has no checkpoint, and those of the steps are of all ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
    int rank, ranks, cells, steps, beside[2];
};

static void quit(const char *why)
{
    fprintf(stderr, "%s\n", why);
    MPI_Finalize();
    exit(1);
}

static void part_of(const struct run *run, int rank, int part[2])
{
    if (run->cells % run->ranks != 0)
        quit("parts of unequal length");
    part[0] = rank * (run->cells / run->ranks);
    part[1] = part[0] + run->cells / run->ranks;
}

static void list(struct run run, int step, double *lists)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (run.rank == 0) {
        for (int i = 0; i < run.ranks; i++) {
            int part[2];
            part_of(&run, i, part);
            for (int k = part[0]; k < part[1]; k++)
                lists[k] = 0.5 * lists[k] + step * (i + 1);
        }
    }
}

int main(int argc, char **argv)
{
    struct run run;
    MPI_Init(&argc, &argv);
    int place[2] = {0, 0}, which = argc > 4;
    MPI_Comm_rank(MPI_COMM_WORLD, &place[which]);
    run.rank = place[which];
    MPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
    run.steps = argc > 1 ? atoi(argv[1]) : 60;
    run.cells = argc > 2 ? atoi(argv[2]) : 128;
    int stride = argc > 3 ? atoi(argv[3]) : 1;
    run.beside[0] = run.rank >= stride ? run.rank - stride : -1;
    run.beside[1] = run.rank + stride < run.ranks ? run.rank + stride : -1;
    int part[2];
    part_of(&run, run.rank, part);
    int length = part[1] - part[0];
    double *mine = malloc(length * sizeof *mine), *theirs = calloc(length, sizeof *theirs);
    double *lists = calloc(run.cells, sizeof *lists);
    double largest = 1;
    MPI_Request requests[4];
    for (int i = 0; i < length; i++)
        mine[i] = i + run.rank;
    for (int step = 0; step < run.steps && largest > 0; step++) {
        int count = 0;
        for (int side = 0; side < 2; side++)
            if (run.beside[side] != -1) {
                MPI_Irecv(theirs, length, MPI_DOUBLE, run.beside[side], 1, MPI_COMM_WORLD, &requests[count++]);
                MPI_Isend(mine, length, MPI_DOUBLE, run.beside[side], 1, MPI_COMM_WORLD, &requests[count++]);
            }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        double here = 0;
        for (int i = 0; i < length; i++) {
            mine[i] = 0.5 * mine[i] + 0.25 * theirs[i] + step;
            here = mine[i] > here ? mine[i] : here;
        }
        MPI_Allreduce(&here, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (step % 2 == 0)
            list(run, step, lists);
    }
    double sum = largest, all;
    for (int i = 0; i < run.cells; i++)
        sum += lists[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (run.rank == 0)
        printf("%.17g\n", all);
    MPI_Finalize();
    return 0;
}
