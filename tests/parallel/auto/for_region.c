/* The region is a loop itself, and its variable is private by a clause; a function shares the work out. */
#include <stdio.h>
#include <stdlib.h>

static double *cells;
static int count = 500;

static void relax(int step)
{
#pragma omp for schedule(static)
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 40; k++)
            cells[i] += 0.5 * step / (i + k + 1);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 40, step;
    double sum = 0;
    cells = calloc(count, sizeof *cells);
#pragma omp parallel private(step)
    for (step = 0; step < steps; step++)
        relax(step);
    for (int i = 0; i < count; i++)
        sum += cells[i];
    printf("%.17g\n", sum);
    free(cells);
    return 0;
}
