/* The time loop is in `single`, and makes tasks that all threads execute. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define N 64
static double a[N];
int main(void)
{
#pragma cccp init
    for (int i = 0; i < N; i++) a[i] = i;
#pragma cccp register(a)
#pragma omp parallel
    {
#pragma omp single
    for (int s = 0; s < 22; s++) {
#pragma cccp register(s)
        for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
        { a[i] = a[i] * 1.5 + s; }
#pragma omp taskwait
#pragma cccp checkpoint
    }
    }
    double t = 0; for (int i = 0; i < N; i++) t += a[i] * i;
    printf("%.17g\n", t);
#pragma cccp shutdown
}
