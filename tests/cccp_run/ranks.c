/* Numbers that go around a ring of ranks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cccp init
    int rank, size, step, steps = 12;
    long value;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    value = rank + 1;
#pragma cccp register(rank, size, step, steps, value)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        long from = 0;
        MPI_Sendrecv(&value, 1, MPI_LONG, (rank + 1) % size, 0, &from, 1, MPI_LONG, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 3 * from + rank;
    }
    long sum = 0;
    MPI_Reduce(&value, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", sum);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
