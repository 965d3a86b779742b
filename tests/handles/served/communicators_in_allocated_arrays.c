/* Communicators in allocated arrays, each split from the one before: through a function that allocates, in a struct, by a local pointer. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Comm *comms;
static int *me;
static struct { int count; MPI_Comm *level; } tree;
static double total;
static void *ma_malloc(size_t size, const char *file, int line)
{
    void *p = malloc(size);
    if (!p) { fprintf(stderr, "%s %d\n", file, line); exit(1); }
    return p;
}
static int factor(int n, int *fac)
{
    int k = 0;
    for (int f = 2; n > 1; f++) while (n % f == 0) { fac[k++] = f; n /= f; }
    return k;
}
int main(int argc, char **argv)
{
    int size, rank, fac[32], nfac, n, set;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    nfac = factor(size, fac);
    comms = (MPI_Comm *) ma_malloc((nfac + 1) * sizeof(MPI_Comm), __FILE__, __LINE__);
    me = (int *) ma_malloc((nfac + 1) * sizeof(int), __FILE__, __LINE__);
    comms[0] = MPI_COMM_WORLD;
    me[0] = rank;
    MPI_Comm *own = malloc(2 * sizeof *own);
    MPI_Comm_dup(MPI_COMM_WORLD, &own[0]);
    MPI_Comm_split(own[0], rank % 2, -rank, &own[1]);
    tree.count = nfac + 1;
    tree.level = calloc(tree.count, sizeof(MPI_Comm));
    for (n = 0; n < nfac; n++) {
        set = me[n] % fac[n];
        MPI_Comm_split(comms[n], set, me[n], &comms[n + 1]);
        MPI_Comm_rank(comms[n + 1], &me[n + 1]);
    }
    for (n = 0; n < tree.count; n++)
        MPI_Comm_split(comms[n], fac[0] > 1 ? rank % 2 : 0, rank, &tree.level[n]);
    for (int step = 0; step < 20; step++) {
        double x = rank + step, y;
        for (int j = 0; j <= nfac; j++) {
            MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, comms[j]);
            total += y / (j + 1);
            MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAX, tree.level[j]);
            total += y;
        }
        MPI_Scan(&x, &y, 1, MPI_DOUBLE, MPI_SUM, own[step % 2]);
        total += y;
    }
    if (rank == 0) printf("%.17g\n", total);
    MPI_Finalize();
    return 0;
}
