/* A product of matrices: the outermost loop is shared out. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
    int i, j, k;
    for (i = 0; i < n * n; i++) {
        a[i] = i % 7 + 0.5;
        b[i] = i % 5 - 1.25;
    }
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            double sum = 0;
            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
    double trace = 0;
    for (i = 0; i < n; i++)
        trace += c[i * n + i];
    printf("%.17g %.17g\n", trace, c[n + 3]);
    free(a);
    free(b);
    free(c);
    return 0;
}
