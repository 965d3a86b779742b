/* What to write where: the item with its extents, and the place for it. */
#include <stdio.h>
#include <stdlib.h>

struct grid { int rows, columns; double *at; };

static double *made(struct grid *g)
{
    return malloc((g->rows + 2) * g->columns * sizeof(double));
}

static double *changed(long n)
{
    n = n + 1;
    return malloc(n * sizeof(double));
}

static double *vector(long n)
{
    return calloc(n, sizeof(double));
}

static long *counts;

static void work(double *inner, int times)
{
    for (int i = 0; i < times; i++) {
        counts[i] += i;
#pragma cccp checkpoint
        inner[i] += counts[i];
    }
}

int main(int argc, char **argv)
{
    double before = argc;
#pragma cccp init
    struct grid g = {argc, 2 * argc, NULL};
    int n = atoi(argv[1]), shrinking = n;
    double *u = vector(n), *next = vector(n), *odd = changed(n), *short_lived = vector(shrinking);
    double *middle = vector(n) + 1;
    shrinking--;
    counts = malloc(n * sizeof *counts);
    g.at = made(&g);
    before = n;
    for (int t = 0; t < n; t++) {
        double *swapped = u, *fresh;
        u = next;
        next = swapped;
        u[0] = next[0] + g.at[0] + odd[0] + middle[0] + short_lived[0];
        fresh = vector(2 * t);
        fresh[0] = t;
        work(u, t);
        fresh[t] += fresh[0];
        free(fresh);
    }
    printf("%g %g %d %g\n", u[0] + odd[0] + middle[1] + short_lived[0], before, n, g.at[n]);
    return 0;
}
