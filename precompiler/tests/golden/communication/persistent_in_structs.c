/* Beside: two structs in an array. Which of them a pointer leads to is not known, so the request of one must not be taken for
 * that of the other: only rank 0 sends through the second one, and nobody receives it. */
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
    struct halo two[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make(&two[1], MPI_PROC_NULL, rank == 0 && size > 1 ? 1 : MPI_PROC_NULL);
    make(&two[0], (rank + size - 1) % size, (rank + 1) % size);
    for (int step = 0; step < atoi(argv[1]); step++) {
        MPI_Startall(2, two[1].both);
        MPI_Waitall(2, two[1].both, MPI_STATUSES_IGNORE);
        u += 1; /* unsafe */
    }
    MPI_Finalize();
    return 0;
}
