/* A grid of ranks that the program numbers by itself; its extents come from the command line. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];
static int grid[3], at[3];

static int neighbour(int dx, int dy, int dz)
{
    int x = (at[0] + dx + grid[0]) % grid[0];
    int y = (at[1] + dy + grid[1]) % grid[1];
    int z = (at[2] + dz + grid[2]) % grid[2];
    return x + grid[0] * (y + grid[1] * z);
}

static void exchange(int up, int down)
{
    double from = 0;
    MPI_Sendrecv(u, 1, MPI_DOUBLE, up, 0, &from, 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += from;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid[0] = atoi(argv[1]);
    grid[1] = atoi(argv[2]);
    grid[2] = atoi(argv[3]);
    if (grid[0] * grid[1] * grid[2] != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int left = rank;
    at[0] = left % grid[0];
    left /= grid[0];
    at[1] = left % grid[1];
    at[2] = left / grid[1];
    for (int step = 0; step < atoi(argv[4]); step++) {
        u[0] += 1; /* safe for 1, 2, 3, 4, 5, 6, 7, 8 ranks */
        exchange(neighbour(1, 0, 0), neighbour(-1, 0, 0));
        u[0] += 2; /* safe for 1, 2, 3, 4, 5, 6, 7, 8 ranks */
        exchange(neighbour(0, 1, 0), neighbour(0, -1, 0));
        exchange(neighbour(0, 0, 1), neighbour(0, 0, -1));
    }
    MPI_Finalize();
    return 0;
}
