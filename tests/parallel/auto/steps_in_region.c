/* The loop of the steps is in a region, between worksharing loops; its variable is private by a clause. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int step, steps = argc > 2 ? atoi(argv[2]) : 50;
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    double sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = i % 17;
#pragma omp parallel private(step) shared(u, v, sum)
    {
        int me = omp_get_thread_num();
        double own = me;
        for (step = 0; step < steps; step++) {
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                u[i] = v[i];
            own = own * 0.5 + u[me + 1];
#pragma omp single
            sum += u[n / 2];
        }
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < omp_get_num_threads(); i++)
#pragma omp ordered
            sum += own * (i + 1);
    }
    printf("%.15g\n", sum);
    free(u);
    free(v);
    return 0;
}
