/* Rows of a grid to the one side, all ranks in a ring to the other. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int width = atoi(argv[1]);
    int x = rank % width, y = rank / width;
    for (int step = 0; step < atoi(argv[2]); step++) {
        u[0] += 1; /* unsafe */
        MPI_Sendrecv(u, 1, MPI_DOUBLE, (x + 1 + width) % width + width * y, 0, u + 1, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
