/* Where nothing communicates, ranks may go different ways and meet again; where one ends, they do not. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

static double seed(int rank, double s)
{
    int half = rank;
    for (int i = 1; i <= 100; i++) {
        s *= 0.5;
        half = half / 2;
        if (half == 0)
            break;
    }
    if (s > 0.5)
        return s; /* unsafe */
    return 2 * s;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    u[0] = seed(rank, u[1]);
    u[0] = 1; /* safe */
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += seed(rank, u[1]); /* safe */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    u[0] = 2; /* safe */
    if (u[3] > u[4]) {
        MPI_Finalize();
        exit(0);
    }
    u[0] = 3; /* unsafe */
    MPI_Finalize();
    return 0;
}
