/* Checkpoints of the thread that a filter chooses: a fixed one, or another one in each step. */
#include <omp.h>
#include <stdio.h>
#define N 60
static double u[N];
static long total;
int main(void)
{
#pragma cccp init
    for (int i = 0; i < N; i++)
        u[i] = i % 7;
#pragma cccp register(u, total)
#pragma omp parallel
    {
        long own = omp_get_thread_num();
#pragma cccp register(own)
        for (int step = 0; step < 12; step++) {
#pragma cccp register(step)
#pragma omp for
            for (int i = 0; i < N; i++)
                u[i] = u[i] * 1.01 + step;
#pragma omp masked filter(0 * step)
            {
#pragma cccp checkpoint
                total += step;
            }
#pragma omp barrier
#pragma omp masked filter(step % omp_get_num_threads())
            {
#pragma cccp checkpoint
                u[step] += own;
            }
            own += step;
#pragma omp barrier
        }
#pragma omp atomic
        total += own;
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += u[i] * i;
    printf("%.17g %ld\n", sum, total);
#pragma cccp shutdown
    return 0;
}
