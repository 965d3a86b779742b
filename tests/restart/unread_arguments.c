/* What a call is given and nobody reads any more needs no register: the call is made again without it, also through
 * functions that only hand it on. */
#include <stdio.h>
#include <stdlib.h>

static double *right_hand_side(int n)
{
    double *b = malloc(n * sizeof *b);
    for (int i = 0; b != NULL && i < n; i++)
        b[i] = i + 1;
    return b;
}

static double iterate(const double *b, double *x, int n, int steps)
{
    double *r = malloc(n * sizeof *r), sum = 0.0;
    int step;
    if (r == NULL)
        return 0.0;
    for (int i = 0; i < n; i++)
        r[i] = b[i];
#pragma cccp register(n, steps, x[n], r[n], step, sum)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        for (int i = 0; i < n; i++) {
            x[i] += 0.1 * r[i];
            r[i] *= 0.9;
        }
    }
    for (int i = 0; i < n; i++)
        sum += x[i];
    free(r);
    return sum;
}

static double solve(const double *b, double *x, int n)
{
    double result = iterate(b, x, n, 6);
    printf("%.17g\n", result);
    return result;
}

int main(void)
{
#pragma cccp init
    int n = 50;
    double *b = right_hand_side(n), *x = calloc(n, sizeof *x);
    if (b == NULL || x == NULL)
        return 1;
    printf("%.17g\n", solve(b, x, n));
#pragma cccp shutdown
    return 0;
}
