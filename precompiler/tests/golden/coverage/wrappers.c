/* Functions that overwrite the array that they are handed. */
#include <stdio.h>
#include <stdlib.h>

static void clear(double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = 0;
}

static double numbers(int n, double x, double *y)
{
    int i;
    double z = x * 2;
    for (i = 0; i < n; i++) {
        z = z * 0.5;
        y[i] = z;
    }
    return z;
}

static void plane(double *m, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i * columns + j] = i - j;
}

static void from_one(double *v, int n)
{
    for (int i = 1; i < n; i++)
        v[i] = 0;
}

static void fewer(double *v, int n)
{
    n = n - 1;
    for (int i = 0; i < n; i++)
        v[i] = 0;
}

static void perhaps(double *v, int n)
{
    if (n > 100)
        return;
    for (int i = 0; i < n; i++)
        v[i] = 0;
}

static double first(double *v, int n)
{
    double kept = v[0];
    for (int i = 0; i < n; i++)
        v[i] = 0;
    return kept;
}

static void moved(double *v, int n)
{
    v++;
    for (int i = 0; i < n; i++)
        v[i] = 0;
}

static void smooth(double *to, double *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static int limit;
static void other_limit(double *v)
{
    for (int i = 0; i < limit; i++)
        v[i] = 0;
}

int main(int argc, char **argv)
{
    double a[10], b[20], c[12], d[10], e[10], f[10], g[10], h[10], k[10], l[10];
    int n = atoi(argv[1]), m = n;
    double *heap = malloc(n * sizeof *heap);
    double *shorter = malloc(m * sizeof *shorter);
    limit = 10;
    m--;
    clear(a, 10);                   /* should: a[] covered */
    clear(b, 20);                   /* should: b[] covered */
    clear(heap, n);                 /* should: heap@82[] covered */
    clear(shorter, m);              /* must: heap@83[] not covered */
    clear(d, 9);                    /* must: d[] not covered */
    clear(d + 1, 10);               /* must: d[] not covered */
    clear(argc > 1 ? d : e, 10);    /* must: d[] not covered, e[] not covered */
    if (argc > 2 || (clear(e, 10), 0)) /* must: e[] not covered */
        puts("x");
    c[0] = numbers(20, 1, b);       /* should: b[] covered */
    plane(c, 3, 4);                 /* should: c[] covered */
    plane(c, 4, 4);                 /* must: c[] not covered */
    from_one(f, 10);                /* must: f[] not covered */
    fewer(g, 11);                   /* must: g[] not covered */
    perhaps(h, 10);                 /* must: h[] not covered */
    first(k, 10);                   /* must: k[] not covered */
    moved(l, 10);                   /* must: l[] not covered */
    smooth(b, a, 20);               /* must: b[] not covered */
    smooth(b, b, 20);               /* must: b[] not covered */
    other_limit(l);                 /* must: l[] not covered */
    printf("%g %g %g\n", a[0], b[0] + c[0] + d[0] + e[0] + f[0], g[0] + h[0] + k[0] + l[0] + heap[0] + shorter[0]);
    return 0;
}
