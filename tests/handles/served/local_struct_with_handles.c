/* A local struct with a communicator, a datatype, requests and a stream among its numbers, handed on by its address. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef MPI_Comm group_t;
typedef struct { MPI_Request in, out; MPI_Status status; } link_t;
typedef struct {
    int rank, size, dims[1];
    struct { group_t ring; MPI_Datatype pair; } mpi;
    link_t left;
    FILE *log;
    double value[2], got[2];
} state_t;

static void join(state_t *s)
{
    int periods[1] = { 1 };
    MPI_Comm_size(MPI_COMM_WORLD, &s->size);
    s->dims[0] = s->size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, s->dims, periods, 0, &s->mpi.ring);
    MPI_Comm_rank(s->mpi.ring, &s->rank);
    MPI_Type_contiguous(2, MPI_DOUBLE, &s->mpi.pair);
    MPI_Type_commit(&s->mpi.pair);
}

static void shift(state_t *s)
{
    int left, right;
    MPI_Cart_shift(s->mpi.ring, 0, 1, &left, &right);
    MPI_Irecv(s->got, 1, s->mpi.pair, left, 3, s->mpi.ring, &s->left.in);
    MPI_Isend(s->value, 1, s->mpi.pair, right, 3, s->mpi.ring, &s->left.out);
    MPI_Wait(&s->left.in, &s->left.status);
    MPI_Wait(&s->left.out, MPI_STATUS_IGNORE);
}

static void run(state_t *s, int steps)
{
    for (int step = 0; step < steps; step++) {
        shift(s);
        for (int i = 0; i < 2; i++)
            s->value[i] = 0.5 * (s->value[i] + s->got[i]) + 0.01 * step;
        if (s->log)
            fprintf(s->log, "%d %.17g\n", step, s->value[0]);
    }
}

int main(int argc, char **argv)
{
    state_t s;
    char name[32];
    MPI_Init(&argc, &argv);
    join(&s);
    snprintf(name, sizeof name, "log%d.txt", s.rank);
    s.log = fopen(name, "w");
    s.value[0] = s.rank;
    s.value[1] = -1.5 * s.rank;
    run(&s, 40);
    if (s.rank == 0)
        printf("%.17g %.17g\n", s.value[0], s.value[1]);
    if (s.log)
        fclose(s.log);
    MPI_Finalize();
    return 0;
}
