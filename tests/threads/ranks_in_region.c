/* Ranks whose time loop is in a region, where all threads have the same of their own. */
#include <mpi.h>
#include <stdio.h>

#define N 256

static unsigned long u[N];

int main(int argc, char **argv)
{
    int rank, size, provided;
    unsigned long sum = 0, all = 0, added = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
#pragma cccp register(sum, added, u)
#pragma omp parallel
    {
        unsigned long own = 3;
        for (int step = 0; step < 24; step++) {
#pragma cccp register(step, own)
#pragma cccp checkpoint
#pragma omp for reduction(+ : added)
            for (int i = 0; i < N; i++) {
                u[i] = 3 * u[i] + (unsigned long)(i + rank) + own;
                added += u[i] % 1009;
            }
            own += 5;
#pragma omp master
            {
                unsigned long of_all;
                MPI_Allreduce(&added, &of_all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
                sum += of_all;
                added = 0;
            }
#pragma omp barrier
        }
    }
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %lu %lu\n", size, all, u[5]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
