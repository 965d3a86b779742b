/* Every rank writes a file of its own, and all of them, at places of their own, one that they share. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
    int step;
    char name[40];
    FILE *own, *shared = NULL;

    snprintf(name, sizeof name, "rank-%d.txt", rank);
    own = fopen(name, "w");
    if (rank == 0) {
        shared = fopen("shared.txt", "w");
        fprintf(shared, "%1000s\n", "");
        fflush(shared);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        shared = fopen("shared.txt", "r+");
    if (own == NULL || shared == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma cccp register(step, own, shared)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        int all = 0;
        MPI_Allreduce(&step, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        fprintf(own, "step %d of rank %d: %d\n", step, rank, all);
        fseek(shared, 20 * (rank + (long)size * step), SEEK_SET);
        fprintf(shared, "%7d %10d\n", rank, all);
    }
#pragma cccp shutdown
    fclose(own);
    fclose(shared);
    MPI_Finalize();
    return 0;
}
