/* A constructor makes a grid of ranks in memory that it allocates, two calls deep; a restart brings both back. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int dims[2];
    MPI_Comm cart;
};

struct model {
    struct grid *grid;
    double *u;
    long n;
};

static struct grid *grid(int size)
{
    struct grid *g = calloc(1, sizeof *g);
    int periods[2] = {1, 0};
    g->dims[0] = size;
    g->dims[1] = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, g->dims, periods, 1, &g->cart);
    return g;
}

static struct model *model(long n)
{
    struct model *m = malloc(sizeof *m);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m->grid = grid(size);
    m->n = n;
    m->u = malloc(n * sizeof *m->u);
    for (long i = 0; i < n; i++)
        m->u[i] = i % 7;
    return m;
}

static double step(struct model *m, int it)
{
    double x = 0, y;
    int place[2], rank;
    for (long i = 0; i < m->n; i++)
        x += m->u[i] = m->u[i] * 0.75 + it;
    MPI_Comm_rank(m->grid->cart, &rank);
    MPI_Cart_coords(m->grid->cart, rank, 2, place);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, m->grid->cart);
    return y / (2 + place[0]);
}

int main(int argc, char **argv)
{
    double u = 0, sum;
    int rank;
    MPI_Init(&argc, &argv);
    struct model *m = model(1000);
    for (int it = 0; it < 15; it++)
        u = u / 3 + step(m, it);
    MPI_Reduce(&u, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
