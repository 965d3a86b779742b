/* Matrices that come and go in functions below the loop, and threads: checkpoints lie outside of parallel regions.
 * What is freed while checkpoints are still to come is registered as the block that is there. */
#include <stdio.h>
#include <stdlib.h>

static double *matrix(int rows, int columns)
{
    double *m = malloc((size_t)rows * columns * sizeof *m);
    if (m == NULL)
        exit(1);
    return m;
}

static double *product(const double *a, const double *b, int n)
{
    double *c = matrix(n, n);
    int i, j, k;

    for (i = 0; i < n; i++) {
#pragma omp parallel for private(k)
        for (j = 0; j < n; j++) {
            double sum = 0.0;
            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
    return c;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 60;
    const int powers = argc > 2 ? atoi(argv[2]) : 6;
    double *a = matrix(n, n);
    double *power = matrix(n, n);
    double trace = 0.0;
    int i, p;

    for (i = 0; i < n * n; i++) {
        a[i] = (double)(i * 7 % 11) / (6.0 * n);
        power[i] = i % (n + 1) == 0;
    }
    for (p = 0; p < powers; p++) {
        double *next = product(power, a, n);
        free(power);
        power = next;
    }
    for (i = 0; i < n; i++)
        trace += power[i * n + i];
    printf("trace of power %d: %.17g\n", powers, trace);
    free(power);
    free(a);
    return 0;
}
