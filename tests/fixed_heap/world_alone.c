/* A fixed heap and a register hold handles of MPI, but no call makes any: there is only MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct vector {
    MPI_Comm comm;
    int n;
    double *x;
};

static struct vector *made_of(MPI_Comm comm, int n)
{
    struct vector *vector = malloc(sizeof *vector + n * sizeof(double));
    vector->comm = comm;
    vector->n = n;
    vector->x = (double *)(vector + 1);
    for (int i = 0; i < n; i++)
        vector->x[i] = i;
    return vector;
}
static double dot(struct vector *a, struct vector *b)
{
    double s = 0, all;
    for (int i = 0; i < a->n; i++)
        s += a->x[i] * b->x[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, a->comm);
    return all;
}
static double solve(struct vector *a, struct vector *b)
{
    double s = 0;
    for (int step = 0; step < 60; step++) {
        double d = dot(a, b);
        for (int i = 0; i < a->n; i++)
            a->x[i] = 0.5 * a->x[i] + b->x[i] / (1 + d);
        s += d;
    }
    return s;
}
static void start(int *argc, char ***argv)
{
    int is;
    MPI_Initialized(&is);
    if (!is)
        MPI_Init(argc, argv);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank;
    start(&argc, &argv);
    comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    struct vector *a = made_of(comm, 100), *b = made_of(MPI_COMM_WORLD, 100);
    double s = solve(a, b);
    if (rank == 0)
        printf("%.17g\n", s);
    MPI_Barrier(comm);
    MPI_Finalize();
    return 0;
}
