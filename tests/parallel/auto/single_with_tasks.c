/* The time loop is in `single`, and makes tasks that all threads execute. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define N 64
static double a[N];
int main(void)
{
    for (int i = 0; i < N; i++) a[i] = i;
#pragma omp parallel
    {
#pragma omp single
    for (int s = 0; s < 22; s++) {
        for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
        { a[i] = a[i] * 1.5 + s; }
#pragma omp taskwait
    }
    }
    double t = 0; for (int i = 0; i < N; i++) t += a[i] * i;
    printf("%.17g\n", t);
}
