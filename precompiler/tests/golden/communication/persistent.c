/* Persistent requests, requests waited for one by one, tests, probes. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

int main(int argc, char **argv)
{
    int rank, size, flag, index;
    MPI_Request pair[2], three[2];
    MPI_Message message;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Recv_init(u, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &pair[0]);
    MPI_Send_init(u + 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &pair[1]);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe */
        MPI_Startall(2, pair);
        u[2] += 1; /* unsafe: request */
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        u[0] += 2; /* safe */
    }
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe */
        MPI_Irecv(u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &three[0]);
        MPI_Isend(u + 1, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &three[1]);
        MPI_Waitany(2, three, &index, MPI_STATUS_IGNORE);
        u[3] += 1; /* unsafe: request */
        MPI_Waitany(2, three, &index, MPI_STATUS_IGNORE);
        u[0] += 3; /* safe */
    }
    MPI_Send(u, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
    MPI_Probe(left, 2, MPI_COMM_WORLD, &status);
    u[0] += 4; /* unsafe: received */
    MPI_Recv(u, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &status);
    u[0] += 5; /* safe */
    MPI_Send(u, 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
    MPI_Mprobe(left, 3, MPI_COMM_WORLD, &message, &status);
    u[0] += 6; /* unsafe */
    MPI_Mrecv(u, 1, MPI_DOUBLE, &message, &status);
    u[0] += 7; /* safe */
    MPI_Irecv(u, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, &three[0]);
    MPI_Send(u + 1, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
    MPI_Test(&three[0], &flag, MPI_STATUS_IGNORE);
    u[0] += 8; /* unsafe */
    MPI_Wait(&three[0], MPI_STATUS_IGNORE);
    u[0] += 9; /* safe */
    MPI_Finalize();
    return 0;
}
