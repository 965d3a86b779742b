/* The body of the loop begins with a region: a checkpoint in front of its pragmas is outside of it. */
#include <stdio.h>

#define CELLS 1000

static double u[CELLS], v[CELLS];

static void relax(double *a, const double *b)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < CELLS; i++)
            a[i] = 0.5 * (a[i] + b[i]);
    }
}

int main(void)
{
    for (int g = 0; g < 600; g++) { /* before: register(g) checkpoint */
#pragma omp parallel for schedule(static)
        for (int i = 0; i < CELLS; i++)
            u[i] = u[i] * 0.5 + i + g;
        relax(v, u);
    }
    printf("%g %g\n", u[7], v[7]);
    return 0;
}
