/* Variables that others of the same name hide where the checkpoint is: locals, a parameter, a global. */
#include <stdio.h>
#include <stdlib.h>

static int x = 5;

static double sweep(double x, int passes)
{
    double sum = x;
    x *= 1.5;
    for (int pass = 0; pass < passes; pass++) {
        double *row = malloc(4 * sizeof *row);
        for (int i = 0; i < 4; i++)
            row[i] = pass + i;
        x += 0.5;
        {
            int x = pass, row = 3;
            for (int step = 0; step < 8; step++) {
                for (int i = 0; i < 3000; i++)
                    sum += x * 1e-6 * i + row;
                x += 2;
            }
            sum += x;
        }
        for (int i = 0; i < 4; i++)
            sum += row[i] * x;
        free(row);
    }
    return sum + x;
}

int main(int argc, char **argv)
{
    (void)argv;
    x += argc;
    double sum = sweep(argc * 0.75, 12);
    printf("%d %.17g\n", x, sum);
    return 0;
}
