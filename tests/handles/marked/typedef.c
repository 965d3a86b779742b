/* A communicator of a type of the program's own, registered by itself. */
#include <mpi.h>
#include <stdio.h>

typedef MPI_Comm comm_t;

int main(int argc, char **argv)
{
    comm_t c;
    int rank, i;
    double x = 0;
    MPI_Init(&argc, &argv);
#pragma cccp init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &c);
#pragma cccp register(i, x, rank, c)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint every(1)
        double v = i, r;
        MPI_Allreduce(&v, &r, 1, MPI_DOUBLE, MPI_SUM, c);
        x += r;
    }
    if (rank == 0)
        printf("%g\n", x);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
