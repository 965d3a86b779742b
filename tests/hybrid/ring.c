/* A field on a ring of ranks, each of which has a team of its own size. The time loop stands in the parallel region, and one thread
   sends. The tests change FUNNELED and `master` for others. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#define N 512
#define MOST 16

static double field[N + 2], next[N + 2];

int main(int argc, char **argv)
{
    int rank, size, provided, steps = 60;
    double total = 0.0, all[MOST];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_set_num_threads(2 + rank % 2);
    for (int i = 0; i < N + 2; i++)
        field[i] = (double)((i * 7 + rank * 13) % 101);
#pragma cccp init
#pragma cccp register(field, next, total)
#pragma omp parallel
    {
        unsigned seed = 17u * (unsigned)(rank * 10 + omp_get_thread_num() + 1);
#pragma cccp register(seed)
        for (int step = 0; step < steps; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
#pragma omp master
            {
                int left = (rank + size - 1) % size, right = (rank + 1) % size;
                MPI_Sendrecv(&field[1], 1, MPI_DOUBLE, left, 1, &field[N + 1], 1, MPI_DOUBLE, right, 1,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Sendrecv(&field[N], 1, MPI_DOUBLE, right, 2, &field[0], 1, MPI_DOUBLE, left, 2,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
#pragma omp barrier
#pragma omp for
            for (int i = 1; i <= N; i++)
                next[i] = 0.25 * field[i - 1] + 0.5 * field[i] + 0.25 * field[i + 1];
#pragma omp for
            for (int i = 1; i <= N; i++)
                field[i] = next[i];
            seed = seed * 1103515245u + 12345u;
#pragma omp master
            {
                double mine = field[N / 2], sum;
                MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                total += sum;
            }
#pragma omp barrier
        }
#pragma omp critical
        total += (double)(seed % 1000);
    }
    for (int i = 1; i <= N; i++)
        total += field[i];
    MPI_Gather(&total, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < size; i++)
            printf("rank %d: %.17g\n", i, all[i]);
    MPI_Finalize();
    return 0;
}
