/* By hand: persistent requests in memory behind a pointer and in an argument; one of them was given back before the checkpoint. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct halo { MPI_Request requests[3]; double *out, *in; };
static struct halo *create(int rank, int size)
{
    struct halo *h = malloc(sizeof *h);
    h->out = calloc(4, sizeof *h->out);
    h->in = calloc(4, sizeof *h->in);
    MPI_Ssend_init(h->out + 1, 2, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &h->requests[0]);
    MPI_Recv_init(h->in + 1, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &h->requests[1]);
    MPI_Send_init(h->out, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &h->requests[2]);
    return h;
}
static double run(struct halo *h, MPI_Request idle, int rank)
{
    double u = rank;
    int it;
#pragma cccp register(it, u, idle)
    for (it = 0; it < 20; it++) {
#pragma cccp checkpoint every(1) messages(counted)
        if (it == 2) MPI_Request_free(&h->requests[2]);
        h->out[1] = u + it;
        h->out[2] = u * it;
        MPI_Startall(2, h->requests);
        MPI_Waitall(2, h->requests, MPI_STATUSES_IGNORE);
        MPI_Start(&idle);
        MPI_Wait(&idle, MPI_STATUS_IGNORE);
        u = h->in[1] / 3 + h->in[2] / 7 + (h->requests[2] == MPI_REQUEST_NULL);
    }
    return u;
}
int main(int argc, char **argv)
{
    int rank, size;
    double s;
    MPI_Request idle;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
    struct halo *h = create(rank, size);
    MPI_Recv_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &idle);
#pragma cccp register(follow(h))
    double u = run(h, idle, rank);
    MPI_Reduce(&u, &s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) printf("%.17g\n", s);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
