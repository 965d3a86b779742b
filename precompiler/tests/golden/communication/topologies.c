/* Communicators: duplicates, halves, grids. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size, inner, members, dims[2] = {0, 0}, periods[2] = {1, 0}, up, down, west, east;
    MPI_Comm copy, half, grid, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_rank(copy, &rank);
    MPI_Comm_size(copy, &size);
    MPI_Comm_split(copy, rank % 2, rank, &half);
    MPI_Comm_rank(half, &inner);
    MPI_Comm_size(half, &members);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &west, &east);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe */
        MPI_Sendrecv(u, 1, MPI_DOUBLE, (inner + 1) % members, 0, u + 1, 1, MPI_DOUBLE,
                     (inner + members - 1) % members, 0, half, MPI_STATUS_IGNORE);
        u[0] += 2; /* safe */
        MPI_Sendrecv(u, 1, MPI_DOUBLE, down, 1, u + 1, 1, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE);
        MPI_Send(u, 1, MPI_DOUBLE, east, 2, grid);
        u[0] += 3; /* unsafe */
        MPI_Recv(u, 1, MPI_DOUBLE, west, 2, grid, MPI_STATUS_IGNORE);
        u[0] += 4; /* safe */
        MPI_Barrier(half);
        u[0] += 5; /* safe */
    }
    if (rank % 2 == 0)
        MPI_Barrier(half);
    u[0] += 6; /* safe */
    MPI_Send(u, 1, MPI_DOUBLE, (rank + 1) % size, 3, copy);
    MPI_Recv(u, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 7; /* unsafe */
    MPI_Finalize();
    return other == grid;
}
