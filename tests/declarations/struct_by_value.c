/* Structs handed over by value, with pointers that nobody follows any more: what these led to need not come back. */
#include <stdio.h>
#include <stdlib.h>

typedef double *vector;
struct tables { int *index; vector spare; };
typedef struct { int n; vector a; double *unused; struct tables tables; } data_t;

static data_t make(int n)
{
    data_t d;
    d.n = n;
    d.a = malloc(n * sizeof *d.a);
    d.unused = malloc(n * sizeof *d.unused);
    d.tables.index = malloc(n * sizeof *d.tables.index);
    d.tables.spare = malloc(8);
    for (int i = 0; i < n; i++) {
        d.a[i] = d.unused[i] = i;
        d.tables.index[i] = n - 1 - i;
    }
    d.tables.spare[0] = d.unused[n - 1];
    return d;
}

static double inner(struct tables tables, vector a, int n, int step)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[tables.index[i]] / (step + 1);
    a[step % n] += 1e-3 * sum;
    return sum;
}

static double run(data_t d, int steps)
{
    double sum = 0;
    for (int step = 0; step < steps; step++)
        sum += inner(d.tables, d.a, d.n, step);
    return sum;
}

static double start(data_t d) { return run(d, 40) + d.n; }

int main(int argc, char **argv)
{
    (void)argv;
    printf("%.17g\n", start(make(argc + 30)));
    return 0;
}
