/* Tables of pointers and what they point to lie in one block; threads share the work in one region, with the checkpoints in it. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 100
#define COLUMNS 200

int main(void)
{
    double sum = 0.0;
#pragma cccp init heap(fixed)
    char *all = malloc(ROWS * (sizeof(double *) + COLUMNS * sizeof(double)));
    double **rows = (double **)all;
    double *values = (double *)(rows + ROWS);
    for (int i = 0; i < ROWS; i++) {
        rows[i] = values + i * COLUMNS;
        for (int j = 0; j < COLUMNS; j++)
            rows[i][j] = i + j * 0.25;
    }
#pragma omp parallel num_threads(3)
    {
        for (int step = 0; step < 30; step++) {
#pragma cccp register(all, rows, step)
#pragma cccp checkpoint
#pragma omp for
            for (int i = 0; i < ROWS; i++)
                for (int j = 1; j < COLUMNS; j++)
                    rows[i][j] = rows[i][j] * 0.5 + rows[i][j - 1] * 0.25 + step;
        }
    }
    for (int i = 0; i < ROWS; i++)
        sum += rows[i][i] + rows[i][COLUMNS - 1];
    printf("%.17g\n", sum);
    free(all);
#pragma cccp shutdown
    return 0;
}
