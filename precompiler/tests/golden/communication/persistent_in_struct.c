/* Requests that are made through a pointer to a struct, and started through its name: the same, where there is one struct. */
#include <mpi.h>
#include <stdlib.h>

struct halo {
    int n;
    MPI_Request both[2];
    double out[8], in[8];
};

static void make(struct halo *h, int left, int right)
{
    MPI_Recv_init(h->in, 8, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &h->both[0]);
    MPI_Send_init(h->out, 8, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &h->both[1]);
}

static double u;

int main(int argc, char **argv)
{
    int rank, size;
    struct halo one;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make(&one, (rank + size - 1) % size, (rank + 1) % size);
    for (int step = 0; step < atoi(argv[1]); step++) {
        u += 1; /* safe */
        MPI_Startall(2, one.both);
        u += 2; /* unsafe: request */
        MPI_Waitall(2, one.both, MPI_STATUSES_IGNORE);
        u += 3; /* safe */
    }
    MPI_Finalize();
    return 0;
}
