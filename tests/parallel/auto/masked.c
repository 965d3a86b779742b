/* Checkpoints of one thread only, which the others pass by. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define N 100
static double u[N];
int main(void)
{
    for (int i = 0; i < N; i++) u[i] = i % 7;
#pragma omp parallel
    {
        double own = omp_get_thread_num();
        int s;
        for (s = 0; s < 20; s++) {
#pragma omp for
            for (int i = 0; i < N; i++) u[i] = u[i] * 1.01 + s;
#pragma omp master
            {
                int j;
                for (j = 0; j < 3; j++) {
                    u[j] += j;
                }
            }
            own += s;
#pragma omp barrier
        }
#pragma omp critical
        u[0] += (int)own;
    }
    double t = 0; for (int i = 0; i < N; i++) t += u[i] * i + u[0];
    printf("%.17g\n", t);
}
