/* A message of one iteration is received in the next one. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[0] = 1; /* safe */
    MPI_Irecv(u, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[1] += 1; /* unsafe */
        MPI_Send(u + 2, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
        u[2] += 1; /* unsafe */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        u[3] += 1; /* safe */
        MPI_Irecv(u, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
        u[4] += 1; /* unsafe */
    }
    MPI_Send(u + 2, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    u[5] += 1; /* safe */
    MPI_Finalize();
    return 0;
}
