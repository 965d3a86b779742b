/* Pairs of ranks: a hypercube for powers of two. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size & (size - 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe for 1, 2, 4, 8, 16, 32 */
        for (int mask = 1; mask < size; mask <<= 1) {
            MPI_Sendrecv(u, 1, MPI_DOUBLE, rank ^ mask, 0, u + 1, 1, MPI_DOUBLE, rank ^ mask, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            u[1] += 1; /* safe for 2, 4, 8, 16, 32 */
        }
    }
    MPI_Finalize();
    return 0;
}
