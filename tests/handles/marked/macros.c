/* Macros with the names of functions that make handles and count messages. */
#include <mpi.h>
#include <stdio.h>

static long calls;
#define MPI_Allreduce(...) (calls++, MPI_Allreduce(__VA_ARGS__))
#define MPI_Send(data, count, type, to, tag, comm) (calls++, (MPI_Send)(data, count, type, to, tag, comm))
#define MPI_Comm_dup(old, new) (calls += 100, MPI_Comm_dup(old, new))

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank, size, i;
    double x = 0;
    MPI_Init(&argc, &argv);
#pragma cccp init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#pragma cccp register(i, x, calls, rank, size, comm)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint every(1) messages(counted)
        double mine = x + i + rank, sum;
        if (rank == 0)
            MPI_Send(&mine, 1, MPI_DOUBLE, size - 1, 1, comm);
        if (rank == size - 1)
            MPI_Recv(&mine, 1, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        x = sum / 3;
    }
    if (rank == 0)
        printf("%.17g %ld\n", x, calls);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
