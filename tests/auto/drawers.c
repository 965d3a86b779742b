/* One table keeps a communicator, memory and, in that memory, what is to be called. As far as pointers say, MPI's own variable for the communicator
 * is written to, too; only MPI knows what is in it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct work {
    void (*solve)(double *);
    double *values;
};

static void *drawers[3];
static int peaks, rank;
static double sum;

static void *drawer(int at)
{
    return drawers[at];
}

static void solve(double *values)
{
    int step;

    for (step = 0; step < 20; step++) {
        double all = 0;
        values[step % 4] += step;
        peaks += values[step % 4] > 8;
        MPI_Allreduce(&values[step % 4], &all, 1, MPI_DOUBLE, MPI_SUM, (MPI_Comm)drawer(0));
        sum += all * (step + 1);
    }
    if (rank == 0)
        printf("%g %d\n", sum, peaks);
}

int main(int argc, char **argv)
{
    struct work *work;
    int at;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    drawers[0] = MPI_COMM_WORLD;
    drawers[1] = malloc(sizeof(struct work));
    ((struct work *)drawer(1))->solve = solve;
    ((struct work *)drawer(1))->values = malloc(4 * sizeof(double));
    work = drawer(1);
    for (at = 0; at < 4; at++)
        work->values[at] = at + rank;
    work->solve(work->values);
    MPI_Finalize();
    return 0;
}
