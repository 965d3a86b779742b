/* Messages: what is received, what is sent, requests, ranks. */
#include <mpi.h>
#include <stdio.h>

static double halo[2], field[16], sent[2], total, local, persistent[4];

int main(int argc, char **argv)
{
    int rank, size, root = 0, n = argc;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 16; i++)
        field[i] = rank;
    total = local = sent[0] = sent[1] = persistent[0] = rank;
    /* must: field[] live, n live, persistent live; should: rank dead, total dead, local dead */
#pragma cccp checkpoint
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sent[0] = field[0];
    sent[1] = field[15];
    MPI_Irecv(halo, 2, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 2, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    local = halo[0] + halo[1];
    MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT, root, MPI_COMM_WORLD);
    printf("%g %d %g\n", total, n, persistent[0]);
    MPI_Finalize();
    return 0;
}
