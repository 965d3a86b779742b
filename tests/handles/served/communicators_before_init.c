/* The function that begins with MPI makes communicators and a datatype, too, so every start makes them; the array that holds them
   is saved. What a restart puts there is the same communicator on all ranks: one that is there already is not made again beside
   itself. */
#include <mpi.h>
#include <stdio.h>

struct ring {
    MPI_Comm comm;
    MPI_Datatype pair;
    int left, right;
    MPI_Request sent, received;
};

struct job {
    int rank, size;
    struct ring rings[4];
    double values[2];
};

static void begin(struct job *job)
{
    int periodic = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job->size);
    for (int i = 0; i < 4; i++) {
        struct ring *ring = &job->rings[i];
        MPI_Cart_create(MPI_COMM_WORLD, 1, &job->size, &periodic, 0, &ring->comm);
        MPI_Cart_shift(ring->comm, 0, 1, &ring->left, &ring->right);
        MPI_Type_contiguous(2, MPI_DOUBLE, &ring->pair);
        MPI_Type_commit(&ring->pair);
    }
}

static double turned(struct ring *ring, const double *values)
{
    double from[2] = {0, 0};
    MPI_Isend(values, 1, ring->pair, ring->right, 0, ring->comm, &ring->sent);
    MPI_Irecv(from, 1, ring->pair, ring->left, 0, ring->comm, &ring->received);
    MPI_Wait(&ring->sent, MPI_STATUS_IGNORE);
    MPI_Wait(&ring->received, MPI_STATUS_IGNORE);
    return from[0] / 3 + from[1] / 5;
}

int main(void)
{
    struct job job;
    begin(&job);
    job.values[0] = job.rank + 1;
    job.values[1] = job.rank + 2;
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 4; i++) {
            job.values[i % 2] += turned(&job.rings[(i + step) % 4], job.values);
        }
    }
    double sums[2] = {0, 0};
    MPI_Reduce(job.values, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (job.rank == 0) {
        printf("%.17g %.17g\n", sums[0], sums[1]);
    }
    MPI_Finalize();
    return 0;
}
