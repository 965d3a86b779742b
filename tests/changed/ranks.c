/* Ranks whose program is changed in the middle of a run. */
#include <mpi.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 4
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cccp init
    int rank, step, sum = 0;
    double line[LENGTH] = {0};
#ifdef ADDED
    long extra = 0;
#endif

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef ADDED
#pragma cccp register(rank, step, sum, line, extra)
#else
#pragma cccp register(rank, step, sum, line)
#endif
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        sum += rank;
        for (int i = 0; i < LENGTH; i++)
            line[i] += rank + i;
#ifdef ADDED
        extra++;
#endif
    }
    MPI_Allreduce(MPI_IN_PLACE, line, LENGTH, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sum %d line %.0f %.0f\n", sum, line[0], line[LENGTH - 1]);
#ifdef ADDED
        printf("extra %ld\n", extra);
#endif
    }
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
