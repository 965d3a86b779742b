/* What makes a group reads a local number by its address. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Group world, g;
    MPI_Comm own;
    int rank;
    double x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = argc - 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &first, &g);
    MPI_Comm_create(MPI_COMM_WORLD, g, &own);
    for (int step = 0; step < 60; step++) {
        double part = step + rank, sum = 0;
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (own != MPI_COMM_NULL) MPI_Allreduce(&sum, &part, 1, MPI_DOUBLE, MPI_SUM, own);
        x += part;
    }
    if (rank == 0)
        printf("%.17g\n", x);
    MPI_Finalize();
    return 0;
}
