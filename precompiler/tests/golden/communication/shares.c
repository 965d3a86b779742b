/* Some ranks have more to do than others: they iterate more often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size, share, more, add, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = atoi(argv[1]);
    share = count / size;
    more = count % size;
    if (rank < more)
        add = 1;
    else
        add = 0;
    share = share + add;
    if (share == 0) {
        fprintf(stderr, "too many ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    u[0] = 1; /* safe */
    for (int i = 0; i < share; i++)
        u[1] += 1; /* alone */
    MPI_Barrier(MPI_COMM_WORLD);
    u[0] = 2; /* safe */
    for (int i = 0; i < share; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    u[0] = 3; /* unsafe */
    MPI_Finalize();
    return 0;
}
