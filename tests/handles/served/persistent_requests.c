/* Arrays of persistent requests, made in a function and started together: they are made again. */
#include <mpi.h>
#include <stdio.h>

#define N 8

static MPI_Request sends[N], recvs[N];
static double in[N], out[N];

static void set_up(int to, int from)
{
    for (int i = 0; i < N; i++) {
        MPI_Recv_init(&in[i], 1, MPI_DOUBLE, from, i, MPI_COMM_WORLD, &recvs[i]);
        MPI_Send_init(&out[i], 1, MPI_DOUBLE, to, i, MPI_COMM_WORLD, &sends[i]);
    }
}

static void exchange(void)
{
    MPI_Startall(N, recvs);
    MPI_Startall(N, sends);
    MPI_Waitall(N, recvs, MPI_STATUSES_IGNORE);
    MPI_Waitall(N, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    set_up((rank + 1) % size, (rank + size - 1) % size);
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < N; i++)
            out[i] = in[i] * 0.5 + rank + step * i;
        exchange();
    }
    for (int i = 0; i < N; i++) {
        MPI_Request_free(&sends[i]);
        MPI_Request_free(&recvs[i]);
    }
    if (rank == 0)
        printf("%d %.17g\n", size, in[3]);
    MPI_Finalize();
    return 0;
}
