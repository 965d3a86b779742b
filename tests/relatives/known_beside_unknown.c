/* Time steps whose number and size are constants, beside a set-up whose loops have bounds that are known in the run only. */
#include <stdio.h>
#include <stdlib.h>

enum { PASSES = 240, CELLS = 600 };
static double u[CELLS];

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3, all = n * n * n;
    double *table = malloc(all * sizeof *table), *next = table;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                *next = 0;
                for (int l = 0; l < n; l++)
                    *next += i + 0.5 * j * k + l;
                next++;
            }
    for (int i = 0; i < CELLS; i++)
        u[i] = i % 7;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 1; i < CELLS - 1; i++)
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 1e-3 * table[pass % all];
    printf("%.15g %.15g\n", u[n], u[CELLS / 2]);
    free(table);
    return argv[0] == NULL;
}
