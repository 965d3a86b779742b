/* Locals that are computed once, from what is the same for good: `n = s->cells * 8`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid {
    int cells;
    int growing;
    double *u;
    double *v;
    double *w;
};

static struct grid *grid(int cells)
{
    struct grid *g = malloc(sizeof *g);
    int count = 8 * cells;

    g->cells = cells;
    g->growing = cells;
    int all = 8 * g->cells;
    g->u = malloc(all * sizeof(double));
    g->v = malloc(8 * g->growing * sizeof(double));
    g->w = malloc(count * sizeof(double));
    return g;
}

static double step(struct grid *g, int i)
{
    int first = 8 * g->growing;

    g->growing += i;
    memset(g->u, 0, 8 * g->cells * sizeof(double)); /* should: heap@41>computed.c:22[] covered */
    memset(g->v, 0, first * sizeof(double)); /* must: heap@41>computed.c:23[] not covered */
    memset(g->w, 0, 8 * (g->cells - 1) * sizeof(double)); /* must: heap@41>computed.c:24[] not covered */
    return g->u[i] + g->v[i] + g->w[i];
}

int main(void)
{
    struct grid *g = grid(4);
    double sum = 0;

    for (int i = 0; i < 4; i++)
        sum += step(g, i);
    printf("%g\n", sum);
    free(g->u);
    free(g->v);
    free(g->w);
    free(g);
    return 0;
}
