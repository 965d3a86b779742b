/* Ranks with teams of different sizes between two checkpoints. */
#include <mpi.h>
#include <stdio.h>

#define N 256

static unsigned long u[N];

int main(int argc, char **argv)
{
    int rank, size, step;
    unsigned long sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
#pragma cccp register(step, sum, u)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        unsigned long added = 0, of_all;
#pragma omp parallel for reduction(+ : added) num_threads(1 + rank)
        for (int i = 0; i < N; i++) {
            u[i] = 3 * u[i] + (unsigned long)(i + rank) + sum;
            added += u[i] % 1009;
        }
        MPI_Allreduce(&added, &of_all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
        sum += of_all;
    }
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %lu %lu\n", size, all, u[5]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
