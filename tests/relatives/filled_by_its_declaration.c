/* An array that its own declaration fills, behind it, is not without a value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *fill(double *values)
{
    for (int i = 0; i < 4; i++)
        values[i] = i + 1;
    return values;
}

int main(int argc, char **argv)
{
    (void)argv;
    char **names = malloc(8 * sizeof *names);
    double sum = 0;
    for (long i = 0; i < 8; i++) {
        names[i] = calloc(16, 1);
        /* Numbers; in other runs the address of memory. */
        memcpy(names[i], argc > 5 ? (void *)&names : (void *)&i, sizeof names);
    }
    double values[4], *behind = fill(values), left[4];
    left[0] = 1;
    for (int i = 0; i < 14; i++)
        sum += values[i % 4] + behind[(i + 1) % 4] + left[0] + names[i % 8][0];
    printf("%g %g\n", sum, values[2]);
    return 0;
}
