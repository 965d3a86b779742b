/* Every rank sums up its share of a series; the shares differ. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = argc > 1 ? atol(argv[1]) : 12;
    long mine = rounds / (rank + 1);
    double sum = 0.0;
    long done = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (long round = 0; round < mine; round++) {
        for (int i = 1; i <= 1000; i++)
            sum += 1.0 / (double)(round * 1000 + i + rank);
        done++;
    }
    double total = 0.0;
    long all = 0;
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&done, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld rounds on %d ranks: %.17g\n", all, size, total);
    MPI_Finalize();
    return 0;
}
