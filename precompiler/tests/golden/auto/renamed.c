/* A matrix has another name in the function with the checkpoint than in main, where its size is known; and it is freed. */
#include <stdio.h>
#include <stdlib.h>

static double *matrix(int rows, int columns)
{
    return calloc((size_t)rows * columns, sizeof(double));
}

static void give_back(double *const m)
{
    free(m);
}

static double *product(const double *const left, const double *const right, const int n)
{
    double *made = matrix(n, n);
    for (int i = 0; i < n; i++) /* before: register(i, made[]) checkpoint */
        for (int j = 0; j < n; j++) {
            made[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                made[i * n + j] += left[i * n + k] * right[k * n + j];
        }
    return made;
}

int main(int argc, char **argv)
{
    double *a, *b, *c;
    int n = atoi(argv[argc - 1]);
    a = matrix(n, n);
    b = matrix(n, n);
    a[0] = b[0] = 2;
    c = product(a, b, n); /* before: register(n, a[], b[]) */
    a[0] = c[0];
    give_back(c);
    c = product(a, b, n); /* before: register(a[], b[]) */
    printf("%g\n", c[0]);
    give_back(c);
    give_back(b);
    give_back(a);
    return 0;
}
