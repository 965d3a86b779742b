/* By hand: communicators, a datatype, an operation and a group in memory behind a pointer, in an array and in a local; messages are
 * counted. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct grid { int dims[2]; MPI_Comm cart, none, unset; MPI_Datatype row; MPI_Op op; MPI_Group group; MPI_Comm *all; };
static void longest(void *in, void *out, int *n, MPI_Datatype *t)
{
    for (int i = 0; i < *n; i++)
        if (((double *)in)[i] > ((double *)out)[i]) ((double *)out)[i] = ((double *)in)[i];
}
static struct grid *create(void)
{
    struct grid *g = malloc(sizeof *g);
    int size, periods[2] = {0}, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    g->dims[0] = size; g->dims[1] = 1;
    g->none = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, g->dims, periods, 1, &g->cart);
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &g->row);
    MPI_Type_commit(&g->row);
    MPI_Op_create(longest, 1, &g->op);
    MPI_Comm_group(g->cart, &g->group);
    g->all = malloc(3 * sizeof *g->all);
    g->all[0] = MPI_COMM_SELF;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? 1 : MPI_UNDEFINED, -rank, &g->all[1]);
    MPI_Comm_split(g->cart, rank % 2, -rank, &g->all[2]);
    return g;
}
int main(int argc, char **argv)
{
    double u = 0;
    MPI_Init(&argc, &argv);
#pragma cccp init
    struct grid *g = create();
    int it;
    MPI_Comm each = MPI_COMM_NULL;
#pragma cccp register(it, u, follow(g), each)
    for (it = 0; it < 20; it++) {
#pragma cccp checkpoint every(1) messages(counted)
        double x = u + it, y, z[4] = {it, 2, 3, 4}, w = 0, v;
        if (each != MPI_COMM_NULL) MPI_Comm_free(&each);
        MPI_Comm_dup(g->all[2], &each);
        MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, g->op, g->cart);
        MPI_Sendrecv(z, 1, g->row, 0, 1, z + 1, 1, g->row, 0, 1, g->all[0], MPI_STATUS_IGNORE);
        if (g->all[1] != MPI_COMM_NULL) MPI_Allreduce(&x, &w, 1, MPI_DOUBLE, MPI_SUM, g->all[1]);
        MPI_Allreduce(&x, &v, 1, MPI_DOUBLE, MPI_SUM, each);
        int d[2], p[2], c[2], n;
        MPI_Cart_get(g->cart, 2, d, p, c);
        MPI_Group_size(g->group, &n);
        u = y / 3 + w / 7 + v / 9 + z[1] + z[3] + c[0] + n + (g->none == MPI_COMM_NULL);
    }
    double s;
    MPI_Allreduce(&u, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!rank) printf("%.17g\n", s);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
