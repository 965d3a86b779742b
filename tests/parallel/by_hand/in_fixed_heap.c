/* A fixed heap, with the stack of `main` beside it; threads pass the checkpoint unequally often, so that any of them takes it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void walked(double **rows, int steps)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int step = 0; step < steps + 9 * me; step++) {
#pragma cccp register(rows, me, step)
#pragma cccp checkpoint
            for (int j = 1; j < 200; j++)
                rows[me][j] = rows[me][j] * 0.5 + rows[me][j - 1] * 0.25 + step;
        }
    }
}

int main(int argc, char **argv)
{
#pragma cccp init heap(fixed)
    int steps = argc > 1 ? atoi(argv[1]) : 25;
    double sum = 0.0;
    char *all = calloc(8, sizeof(double *) + 200 * sizeof(double));
    double **rows = (double **)all;
    for (int i = 0; i < 8; i++)
        rows[i] = (double *)(rows + 8) + i * 200;
#pragma cccp register(all, rows, steps, sum)
    walked(rows, steps);
    for (int i = 0; i < 8; i++)
        sum += rows[i][i] + rows[i][199] * (i + 1);
    printf("%.17g\n", sum);
#pragma cccp shutdown
    return 0;
}
