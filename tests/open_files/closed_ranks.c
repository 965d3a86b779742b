/* Each rank appends to a file of its own and in turn to one of all, and closes them. */
#include <mpi.h>
#include <stdio.h>

static void add(const char *name, int rank, long step)
{
    FILE *to = fopen(name, "a");
    if (to != NULL) {
        fprintf(to, "rank %d, step %ld\n", rank, step);
        fclose(to);
    }
}

int main(int argc, char **argv)
{
    long step;
    int rank, size;
    char name[32];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "rank-%d.txt", rank);
#pragma cccp init
#pragma cccp register(step)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        MPI_Barrier(MPI_COMM_WORLD);
        add(name, rank, step);
        for (int turn = 0; turn < size; turn++) {
            if (turn == rank)
                add("all.txt", rank, step);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
