/* Arrays whose extents are known when the program runs only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid { int n, m; double *cells; } grid;
static double *shared;
static int count;
struct box { long at; double w; };

static void start(double *u, int n)
{
    for (int i = 0; i < n; i++) u[i] = 0; /* should: heap@31[] covered */
}

static void clear_shared(void)
{
    for (int i = 0; i < count; i++) shared[i] = 0; /* should: heap@36[] covered */
}

static void part(double *w, int n)
{
    for (int i = 0; i < n; i++) w[i] = 0; /* must: heap@44[] not covered */
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), c = atoi(argv[3]), k = argc, i, j;
    size_t long_n = strtoul(argv[1], 0, 10);
    double *u =
        malloc(n * sizeof *u);
    double *v =
        calloc(n, sizeof(double));
    count = n;
    shared =
        malloc(count * sizeof *shared);
    double *flat =
        malloc(sizeof(double) * n * m);
    struct box *boxes =
        malloc(n * sizeof(struct box));
    double *big =
        malloc(long_n * sizeof *big);
    double *w =
        malloc(n * sizeof *w);
    double *x =
        malloc(k * sizeof *x);
    double *y =
        malloc(c * sizeof *y);
    double *z =
        malloc((n + 1) * sizeof *z);
    double (*rows)[8] =
        malloc(n * sizeof *rows);
    double *r =
        malloc(n * sizeof *r);
    grid.n = n;
    grid.m = m;
    grid.cells =
        malloc(n * m * sizeof *grid.cells);
    double *late;
    struct grid *g = &grid;

    for (i = 0; i < n; i++) u[i] = 0; /* should: heap@31[] covered */
    for (i = 0; i < n; i++) v[i] = u[i]; /* should: heap@33[] covered */
    for (i = 0; i < count; i++) v[i] = u[i];
    for (i = 0; i < n; i++) for (j = 0; j < m; j++) flat[i * m + j] = 1; /* should: heap@38[] covered */
    for (i = 0; i < n * m; i++) flat[i] = 1; /* should: heap@38[] covered */
    for (i = 0; i < m; i++) for (j = 0; j < n; j++) flat[i * m + j] = 1; /* must: heap@38[] not covered */
    for (i = 0; i < n; i++) { boxes[i].at = 0; boxes[i].w = 1; } /* should: heap@40[].at, heap@40[].w covered */
    for (size_t h = 0; h < long_n; h++) big[h] = 0; /* should: heap@42[] covered */
    for (int h = 0; h < n; h++) big[h] = 0; /* must: heap@42[] not covered */
    for (int h = 0; h < (int)long_n; h++) big[h] = 0; /* must: heap@42[] not covered */
    for (i = 0; i <= n; i++) z[i] = 0; /* should: heap@50[] covered */
    for (i = 0; i < n; i++) z[i] = 0; /* must: heap@50[] not covered */
    for (i = 0; i < n; i++) for (j = 0; j < 8; j++) rows[i][j] = 0; /* should: heap@52[] covered */
    for (i = 0; i < n; i++) for (j = 0; j < 7; j++) rows[i][j] = 0; /* must: heap@52[] not covered */
    for (i = 0; i < grid.n * grid.m; i++) grid.cells[i] = 0;
    for (i = 0; i < n * m; i++) g->cells[i] = 0; /* should: heap@58[] covered */
    memset(u, 0, n * sizeof *u); /* should: heap@31[] covered */
    memset(u, 0, n); /* must: heap@31[] not covered */
    memset(u + 1, 0, n * sizeof *u); /* must: heap@31[] not covered */
    memcpy(v, u, n * sizeof *u); /* should: heap@33[] covered */
    memcpy(v, u, (n - 1) * sizeof *u); /* must: heap@33[] not covered */

    k = k - 1;
    for (i = 0; i < k; i++) x[i] = 0; /* must: heap@46[] not covered */
    for (i = 0; i < c; i++) { *y = 1; y[i] = 0; c = c - (i == 3); } /* must: heap@48[] not covered */
    r = r + 1;
    for (i = 0; i < n; i++) r[i] = 0; /* must: heap@54[] not covered */
    late = w;
    part(late + 1, n);
    start(u, n);
    clear_shared();
    printf("%g %g %g %g %g %g", u[0], v[0], w[0], flat[0], big[0], x[0]);
    printf("%g %g %g %g %g %g", y[0], z[0], rows[0][0], r[0], grid.cells[0], shared[0]);
    printf("%ld %g", boxes[0].at, boxes[0].w);
    return 0;
}
