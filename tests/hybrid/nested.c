/* Regions inside of regions on each of several ranks, by hand a checkpoint in the inner ones, where none can be taken. */
#include <stdio.h>
#include <omp.h>
#include <mpi.h>
static double u[4], v;
int main(int argc, char **argv)
{
    int rank, size, got;
    long step;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &got);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_set_max_active_levels(2);
#pragma cccp init
    for (int i = 0; i < 4; i++)
        u[i] = rank + i;
#pragma cccp register(step, u, v, rank)
    for (step = 0; step < 12; step++) {
#pragma omp parallel num_threads(2)
        {
            int outer = omp_get_thread_num();
#pragma cccp register(outer)
#pragma omp parallel num_threads(2) firstprivate(outer)
            {
                int me = outer * 2 + omp_get_thread_num();
                int k;
#pragma cccp register(me, k, outer)
                for (k = 0; k < 4; k++) {
#pragma cccp checkpoint
                    u[me] = u[me] * 0.75 + k + step;
#pragma omp barrier
                }
            }
        }
        double sum = u[0] + u[1] + u[2] + u[3];
        MPI_Allreduce(&sum, &v, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        u[step % 4] += v * 0.125;
    }
    if (rank == 0)
        printf("%.17g\n", v);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
