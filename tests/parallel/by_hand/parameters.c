/* The example of THREADS.md: a parameter is firstprivate, so that there are two of it. */
#include <stdio.h>
#include <stdlib.h>
double relax(double *u, int n, int steps, int seed)
{
    double total = 0;
#pragma cccp register(u[n], steps, seed, total)
#pragma omp parallel firstprivate(seed) reduction(+ : total)
    {
        double own = 0;
#pragma cccp register(seed, own, total) /* in the region: each thread its own copies */
        for (int step = 0; step < steps; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
#pragma omp for
            for (int i = 0; i < n; i++)
                u[i] += step;
            own += u[seed % n] * 0.5;
            seed += 7;
#pragma omp barrier
        }
        total += own;
    }
    return total;
}
int main(void)
{
#pragma cccp init
    int n = 1000; double *u = calloc(n, sizeof *u);
    printf("%.17g\n", relax(u, n, 50, 3));
#pragma cccp shutdown
    return 0;
}
