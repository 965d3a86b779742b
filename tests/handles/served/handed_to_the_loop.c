/* What the functions with the loops are given is read for the last time where they are called: a communicator and a datatype, and a communicator in a
 * struct. A restart makes the calls again, with the same handles. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    MPI_Comm comm;
    int count;
    double *values;
};

static int rank;

static double sums(MPI_Comm comm, MPI_Datatype pair)
{
    double sum = 0, mine[2], all[2];
    int step, size;

    for (step = 0; step < 12; step++) {
        mine[0] = rank + step;
        mine[1] = step;
        MPI_Type_size(pair, &size);
        MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm);
        sum += all[0] + all[1] + size;
    }
    return sum;
}

static double relax(MPI_Comm comm, double *values, int count)
{
    double all = 0;
    int step, i;

    for (step = 0; step < 12; step++)
        for (i = 0; i < count; i++) {
            values[i] += step;
            MPI_Allreduce(&values[i], &all, 1, MPI_DOUBLE, MPI_SUM, comm);
            values[i] = all / 2;
        }
    return values[0];
}

int main(int argc, char **argv)
{
    struct grid *grid;
    MPI_Comm mine;
    MPI_Datatype pair;
    double sum, last;
    int i;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Type_contiguous(argc + 1, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    sum = sums(mine, pair);
    grid = malloc(sizeof *grid);
    grid->count = argc + 3;
    grid->values = malloc(grid->count * sizeof(double));
    MPI_Comm_dup(MPI_COMM_WORLD, &grid->comm);
    for (i = 0; i < grid->count; i++)
        grid->values[i] = rank + i;
    last = relax(grid->comm, grid->values, grid->count);
    if (rank == 0)
        printf("%g %g\n", sum, last);
    MPI_Finalize();
    return 0;
}
