/* A master and its workers. */
#include <mpi.h>
#include <stdlib.h>

static double u[8], all[64];

static void gather_in_order(int rank, int size)
{
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&all[i], 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Send(u, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    u[0] += 1; /* safe */
}

static void gather_from_anybody(int rank, int size)
{
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&all[i], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Send(u, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe: any source */
    MPI_Barrier(MPI_COMM_WORLD);
    u[0] += 2; /* safe */
}

static void to_a_root(int rank, int size, int root)
{
    if (rank == root) {
        for (int i = 0; i < size; i++)
            if (i != root)
                MPI_Send(u, 1, MPI_DOUBLE, i, 2, MPI_COMM_WORLD);
    } else
        MPI_Recv(u, 1, MPI_DOUBLE, root, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe */
}

int main(int argc, char **argv)
{
    int rank, size, root = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 1000; step++) {
        u[0] += 1; /* safe */
        gather_in_order(rank, size);
        gather_from_anybody(rank, size);
        to_a_root(rank, size, root);
    }
    if (rank == 0)
        MPI_Recv(u, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == size - 1 || rank == 1)
        MPI_Send(u, 1, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    u[0] += 2; /* safe for 2 */
    MPI_Finalize();
    return 0;
}
