/* What the time steps do is known; that nobody knows the bounds of the set-up does not make it more. */
#include <stdio.h>
#include <stdlib.h>

static double u[50000];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double few[4] = {0};
    double *table = malloc(sizeof *table * n);
    for (int i = 0; i < n; i++) { /* selected */
        table[i] = 0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    table[i] += j * k + l;
    }
    for (int pass = 0; pass < 24; pass++) /* selected */
        for (int i = 1; i < 49999; i++)   /* not selected */
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + table[i % n];
    for (int pass = 0; pass < 48; pass++) /* also worth a checkpoint */
        for (int i = 1; i + 1 < 20000; i++)
            u[i] += 0.5 * u[i + 1];
    for (int pass = 0; pass < 10; pass++) /* not worth a checkpoint */
        for (int i = 0; i < 4; i++)
            few[i] += u[i * pass];
    printf("%g %g\n", u[n], few[3]);
    return 0;
}
