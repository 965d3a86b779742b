/* Tasks are made in every step, and are over at the next barrier. */
#include <stdio.h>
#include <omp.h>

static double u[64], total[8];

static void spread(int first, int count, int step)
{
    if (count > 8) {
#pragma omp task
        spread(first, count / 2, step);
#pragma omp task
        spread(first + count / 2, count - count / 2, step);
#pragma omp taskwait
        return;
    }
    for (int i = first; i < first + count; i++)
        for (int k = 0; k < 2000; k++)
            u[i] += 1.0 / (1 + i + k + step);
}

int main(void)
{
#pragma omp parallel
    for (int step = 0; step < 40; step++) {
#pragma omp barrier
#pragma omp single nowait
        for (int j = 0; j < 8; j++) {
#pragma omp task
            for (int k = 0; k < 2000; k++)
                total[j] += (double)k * step * j;
        }
#pragma omp single nowait
        spread(0, 64, step);
    }
    for (int i = 0; i < 64; i++)
        printf("%.17g %g\n", u[i], total[i % 8]);
    return 0;
}
