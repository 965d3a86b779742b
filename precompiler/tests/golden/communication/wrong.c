/* What must not be called safe. Each function by itself; what comes after the first fault is not safe either. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[0] = 1; /* safe */
    for (int i = 0; i < (int)getpid() % 7; i++)
        u[1] += 1; /* alone */
    u[1] += 1; /* safe */
    for (int i = 0; i < rank; i++)
        u[1] += 1; /* unsafe */
    while (u[0] > 2 * rank) {
        u[0] *= 0.5; /* alone */
    }
    /* One message more than is received. */
    if (rank == 0 && size > 1)
        MPI_Send(u, 1, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* unsafe */
        if (rank < size - 1)
            MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        if (rank > 0)
            MPI_Recv(u, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        u[0] += 2; /* unsafe */
    }
    u[0] = 3; /* unsafe */
    MPI_Finalize();
    u[0] = 4; /* unsafe */
    return flag = 0;
}
