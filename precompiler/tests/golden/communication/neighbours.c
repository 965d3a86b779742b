/* Messages between neighbours: rings, shifts, with and without ends, blocking and not. */
#include <mpi.h>
#include <stdlib.h>

#define N 8
static double u[N];

static void ring(int rank, int size)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Sendrecv(u, 1, MPI_DOUBLE, right, 0, u + 1, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe */
}

static void line(int rank, int size)
{
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(u, 1, MPI_DOUBLE, right, 1, u + 1, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 1; /* safe */
    MPI_Sendrecv_replace(u, 1, MPI_DOUBLE, left, 2, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 2; /* safe */
}

static void guarded(int rank, int size)
{
    if (rank > 0)
        MPI_Send(u, 1, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD);
    u[0] += 1; /* unsafe: may not have been received */
    if (rank < size - 1)
        MPI_Recv(u, 1, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[0] += 2; /* safe */
}

static void odd_and_even(int rank, int size)
{
    if (rank % 2 == 0) {
        if (rank + 1 < size) {
            MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD);
            u[0] += 1; /* unsafe */
            MPI_Recv(u, 1, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Recv(u, 1, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(u, 1, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD);
    }
    u[0] += 2; /* safe */
}

static void non_blocking(int rank, int size)
{
    MPI_Request requests[4];
    int count = 0;
    if (rank > 0) {
        MPI_Irecv(u, 1, MPI_DOUBLE, rank - 1, 5, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(u + 1, 1, MPI_DOUBLE, rank - 1, 6, MPI_COMM_WORLD, &requests[count++]);
    }
    if (rank < size - 1) {
        MPI_Irecv(u + 2, 1, MPI_DOUBLE, rank + 1, 6, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(u + 3, 1, MPI_DOUBLE, rank + 1, 5, MPI_COMM_WORLD, &requests[count++]);
    }
    u[5] += 1; /* unsafe: request */
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    u[6] += 1; /* safe */
}

static void waits_for_too_few(int rank, int size)
{
    MPI_Request requests[2];
    MPI_Irecv(u, 1, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(u + 1, 1, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    u[6] += 1; /* unsafe: request */
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    u[7] += 1; /* safe */
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10;
    u[0] = 1; /* unsafe: MPI is not in use */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        ring(rank, size); /* safe */
        line(rank, size); /* safe */
        guarded(rank, size); /* safe */
        odd_and_even(rank, size); /* safe */
        non_blocking(rank, size); /* safe */
        waits_for_too_few(rank, size); /* safe */
        if (rank == 0)
            u[0] += 1; /* unsafe: Only some of the ranks */
        if (step % 10 == 0)
            u[1] += 1; /* safe */
        if (u[0] > 0.5)
            u[2] += 1; /* unsafe: Only some of the ranks */
    }
    u[0] = 2; /* safe */
    MPI_Finalize();
    return 0;
}
