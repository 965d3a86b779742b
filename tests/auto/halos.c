/* Neighbours, requests and communicators in allocated memory: nobody can follow these messages before the run. The first and
 * the last rank have one neighbour only, so that not all requests are used. Rank 0 gathers sums from whoever comes first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
#define LEVELS 3

typedef struct {
    int neighbour[2];
    int count;
    MPI_Request *requests;
    MPI_Comm comm;
    double *edge[2];
} Halo;

static Halo *make(MPI_Comm base)
{
    Halo *halo = calloc(1, sizeof *halo);
    int rank, size;

    MPI_Comm_dup(base, &halo->comm);
    MPI_Comm_rank(halo->comm, &rank);
    MPI_Comm_size(halo->comm, &size);
    halo->neighbour[0] = rank > 0 ? rank - 1 : -1;
    halo->neighbour[1] = rank < size - 1 ? rank + 1 : -1;
    halo->requests = malloc(4 * sizeof *halo->requests);
    for (int side = 0; side < 2; side++)
        halo->edge[side] = calloc(1, sizeof(double));
    return halo;
}

static void start(Halo *halo, double *u)
{
    halo->count = 0;
    for (int side = 0; side < 2; side++) {
        if (halo->neighbour[side] < 0)
            continue;
        MPI_Irecv(halo->edge[side], 1, MPI_DOUBLE, halo->neighbour[side], 5, halo->comm, &halo->requests[halo->count++]);
        MPI_Isend(&u[side * (N - 1)], 1, MPI_DOUBLE, halo->neighbour[side], 5, halo->comm, &halo->requests[halo->count++]);
    }
}

static double gathered(double mine, int rank, int size)
{
    double sum = mine, one;

    if (rank > 0) {
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
    } else {
        for (int other = 1; other < size; other++) {
            MPI_Recv(&one, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum = sum > one ? sum : one;
        }
    }
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, levels = LEVELS;
    double u[N], v[N], got = 0, sum = 0;
    MPI_Request up, down = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Halo *halo = make(MPI_COMM_WORLD);
    MPI_Comm *groups = malloc(levels * sizeof *groups);
    for (int level = 0; level < levels; level++)
        MPI_Comm_split(MPI_COMM_WORLD, rank >> level, rank, &groups[level]);
    for (int i = 0; i < N; i++)
        u[i] = rank * N + i;
    for (int step = 0; step < 40; step++) {
        start(halo, u);
        if (rank > 0)
            MPI_Irecv(&got, 1, MPI_DOUBLE, rank - 1, 9, MPI_COMM_WORLD, &up);
        if (rank < size - 1)
            MPI_Isend(&u[3], 1, MPI_DOUBLE, rank + 1, 9, MPI_COMM_WORLD, &down);
        for (int i = 1; i < N - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        MPI_Waitall(halo->count, halo->requests, MPI_STATUSES_IGNORE);
        if (rank > 0)
            MPI_Wait(&up, MPI_STATUS_IGNORE);
        MPI_Wait(&down, MPI_STATUS_IGNORE);
        v[0] = 0.5 * (*halo->edge[0] + u[1]);
        v[N - 1] = 0.5 * (*halo->edge[1] + u[N - 2]) + 0.01 * got;
        memcpy(u, v, sizeof u);
        MPI_Allreduce(&u[5], &got, 1, MPI_DOUBLE, MPI_MAX, groups[step % levels]);
        sum += gathered(u[7], rank, size) + got;
    }
    if (rank == 0)
        printf("%.15g\n", sum);
    for (int level = 0; level < levels; level++)
        MPI_Comm_free(&groups[level]);
    free(groups);
    MPI_Comm_free(&halo->comm);
    free(halo->requests);
    free(halo->edge[0]);
    free(halo->edge[1]);
    free(halo);
    MPI_Finalize();
    return 0;
}
