/* Every thread runs the loop of the steps; it does little of the work. */
#include <math.h>
#include <stdio.h>

#define CELLS 10000
static double u[CELLS];

static void relax(int step)
{
#pragma omp for
    for (int i = 0; i < CELLS; i++)
        u[i] += 0.5 * step;
}

int main(void)
{
    for (int i = 0; i < CELLS; i++) /* before: register(i, u) checkpoint */
        for (int k = 1; k < 2000; k++)
            u[i] += sin(i) / k;
#pragma omp parallel
    for (int step = 0; step < 100; step++)
        relax(step);
    printf("%g\n", u[17]);
    return 0;
}
