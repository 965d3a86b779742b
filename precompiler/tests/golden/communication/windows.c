/* One-sided communication. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[0] = 1; /* safe */
    MPI_Win_create(u, sizeof u, sizeof u[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe */
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        u[1] += 1; /* unsafe: window */
        MPI_Put(u, 1, MPI_DOUBLE, (rank + 1) % size, 2, 1, MPI_DOUBLE, win);
        u[1] += 2; /* unsafe: window */
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        u[0] += 2; /* safe */
    }
    MPI_Win_fence(0, win);
    u[0] += 3; /* unsafe: window */
    MPI_Win_free(&win);
    u[0] += 4; /* safe */
    MPI_Finalize();
    return 0;
}
