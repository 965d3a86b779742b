/* A message crosses the checkpoint that somebody put here: what is sent in one pass is received in the next one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double mine, got = 0, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    for (int step = 0; step < 12; step++) {
        if (step > 0)
            MPI_Recv(&got, 1, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine += got + step;
        MPI_Send(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD);
#pragma cccp checkpoint /* here */
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Recv(&got, 1, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: %g\n", rank, got + sum);
    MPI_Finalize();
    return 0;
}
