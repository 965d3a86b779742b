/* A matrix product with a checkpoint in the innermost loop: what does it cost to ask a billion times? The benchmark
 * runs it with checkpoints switched off. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
#pragma cccp init
    int n = argc > 1 ? atoi(argv[1]) : 900;
    double *a = calloc((size_t)n * n, sizeof *a);
    double *b = calloc((size_t)n * n, sizeof *b);
    double *c = calloc((size_t)n * n, sizeof *c);
    int i, j, k;
    double sum;

    if (a == NULL || b == NULL || c == NULL)
        return 1;
    for (int m = 0; m < n * n; m++) {
        a[m] = m % 7 - 3.0;
        b[m] = m % 5 - 2.0;
    }
#pragma cccp register(n, i, j, k, sum, a[n * n], b[n * n], c[n * n])
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            sum = 0.0;
            for (k = 0; k < n; k++) {
#pragma cccp checkpoint
                sum += a[i * n + k] * b[j * n + k];
            }
            c[i * n + j] = sum;
        }
    for (i = 1, sum = 0.0; i < n * n; i++)
        sum += c[i] * (i % 3);
    printf("%.17g\n", sum);
#pragma cccp shutdown
    free(a);
    free(b);
    free(c);
    return 0;
}
