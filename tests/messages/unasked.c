/* Neither what sends nor what receives is ever completed: a message has come when one that was sent after it was received. */
#include <mpi.h>
#include <stdio.h>
#define STEPS 12

int main(int argc, char **argv)
{
    int rank, size, step;
    double value = 1, came = 0, got, sent[2], all;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
#pragma cccp register(rank, size, right, left, step, value, came, sent)
    for (step = 0; step < STEPS; step++) {
#pragma cccp checkpoint every(1) messages(counted)
        value += came / 3;
        MPI_Irecv(&came, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++) {
            sent[i] = value * 0.5 + rank + i;
            MPI_Isend(&sent[i], 1, MPI_DOUBLE, right, 1 + i, MPI_COMM_WORLD, &request);
        }
        MPI_Recv(&got, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = value / 2 + got;
    }
    MPI_Reduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %s\n", all, argv[1]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
