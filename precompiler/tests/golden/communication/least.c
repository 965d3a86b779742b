/* A program that wants two ranks at least, and one part of it is for exactly four. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    u[0] = 1; /* safe */
    if (size == 4)
        u[0] = 2; /* safe for 4 */
    MPI_Finalize();
    return 0;
}
