/* Some ranks end, the others go on. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[1] = rank; /* safe */
    for (int i = 0; i < 8; i++)
        if (u[i] > 0)
            exit(0);
    u[0] = 3; /* unsafe: ended */
    MPI_Finalize();
    return 0;
}
