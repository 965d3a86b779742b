/* Ranks with two neighbours forget the request of what they send to the left: its variable is used again before anybody waits. The
   message is received all the same, so nothing is in flight where the next step begins. */
#include <mpi.h>
#include <stdio.h>

#define N 8

static void exchange(double *u, int rank, int last)
{
    MPI_Request request[2];
    if (rank == 0) {
        MPI_Isend(&u[N], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &request[1]);
    } else if (rank == last) {
        MPI_Isend(&u[1], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[0]);
    } else {
        MPI_Isend(&u[1], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&u[N], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    double u[N + 2], next[N + 2], sum = 0, total;
    int rank, size, i, step;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < N + 2; i++)
        u[i] = i + rank;
    for (step = 0; step < 20; step++) {
        exchange(u, rank, size - 1);
        for (i = 1; i <= N; i++)
            next[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (i = 1; i <= N; i++)
            u[i] = next[i];
    }
    for (i = 1; i <= N; i++)
        sum += u[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", total);
    MPI_Finalize();
    return 0;
}
