/* A loop that threads may leave early, in a region with a time loop: what is behind it all of them come to. */
#include <math.h>
#include <stdio.h>
#define N 3000
static double u[N];
int main(void)
{
    long found = 0;
    for (int i = 0; i < N; i++)
        u[i] = i * 0.001;
#pragma omp parallel
    for (int step = 0; step < 20; step++) {
#pragma omp for
        for (int i = 0; i < N; i++)
            u[i] = sin(u[i] + step);
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp cancel for if (u[i] > 2)
            u[i] += 0.001;
#pragma omp cancellation point for
        }
#pragma omp single
        found += u[step] > 0.5;
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += u[i] * i;
    printf("%.17g %ld\n", sum, found);
    return 0;
}
