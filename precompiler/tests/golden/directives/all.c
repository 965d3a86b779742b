/* s15: every directive, and items of every shape. */
#include <stdio.h>
typedef struct particle { double x[3]; int id; struct particle *next; } particle;
typedef struct { int n; double *cell; particle all[10]; double *rows[4]; struct { int deep; } inner; char tail[]; } grid;
static double field[4][5];
static int counts[] = {1, 2, 3};
extern int elsewhere[7];
typedef int number;
#define LENGTH 12
int step(grid *g, int n, double matrix[n][2 * n])
{
    double vla[n][3], (*view)[3] = vla;
    static int calls;
    particle *p = g->all;
    #pragma cccp register(n, calls, vla, view[n], matrix[n], matrix)
    # pragma	cccp	register( g->n , g->cell[g->n * (number)2], \
        g->all, p[n], p[2:n - 2], p[3].x, p->next->id, /* last */ g->rows, g->rows[2])
    #pragma cccp register(g->all[n].x[2:1], g->inner.deep)
    #pragma cccp checkpoint every(LENGTH) if(n > 3 && calls) name(inner_loop)
    #pragma cccp unregister(g->cell, p)
    return n;
}
int main(int argc, char **argv)
{
    grid g = {0};
    double *u = 0, *flat = 0;
    #pragma cccp init comm(argc > 1 ? 1 : 2)
    #pragma cccp register(field, counts, elsewhere, g, g.inner, u[g.n], flat[4][g.n], g.cell[g.n][3], argv[argc])
    #pragma cccp execute on restart
    u = flat;
    #pragma cccp end execute
    #pragma cccp client(printf)
    return step(&g, 3, 0);
    #pragma cccp shutdown
}
