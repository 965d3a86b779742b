/* A struct with a communicator, and the communicator, are handed to the function with the loop by value. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct grid { int dims[2]; MPI_Comm cart; };
static struct grid *create(void)
{
    struct grid *g = calloc(1, sizeof *g);
    int size, periods[2] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->dims[0] = size; g->dims[1] = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, g->dims, periods, 1, &g->cart);
    return g;
}
static double run(struct grid g, MPI_Comm direct, double u)
{
    for (int it = 0; it < 15; it++) {
        double x = u + it, y, z;
        for (int i = 0; i < 1000; i++) x = x * 0.999 + i;
        MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, g.cart);
        MPI_Allreduce(&x, &z, 1, MPI_DOUBLE, MPI_SUM, direct);
        u = y / 3 + z / 7;
    }
    return u;
}
int main(int argc, char **argv)
{
    double u = 0; int rank;
    MPI_Init(&argc, &argv);
    struct grid *g = create();
    u = run(*g, g->cart, 1);
    MPI_Comm_rank(g->cart, &rank);
    if (!rank) printf("%.17g\n", u);
    MPI_Finalize();
    return 0;
}
