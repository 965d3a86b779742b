/* What a communicator was made from is changed later, and cannot be computed again. */
#include <mpi.h>
#include <stdio.h>

static int groups;

int main(int argc, char **argv)
{
    MPI_Comm own;
    int rank;
    double x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (scanf("%d", &groups) != 1)
        groups = 2;
    MPI_Comm_split(MPI_COMM_WORLD, rank % groups, rank, &own);
    for (int step = 0; step < 60; step++) {
        double part = step + rank, sum;
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, own);
        x += sum / groups;
        if (step % 10 == 9)
            groups = 1 + groups % 3;
        /* No rank gets far ahead of another: they have a checkpoint in common. */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&own);
    if (rank == 0)
        printf("%.17g %d\n", x, groups);
    MPI_Finalize();
    return 0;
}
