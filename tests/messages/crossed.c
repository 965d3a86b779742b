/* Ways to have something under way at a checkpoint: the argument says which. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 8 };

static int rank, size;

/* Rank 0 sends `value` to rank 1. */
static void send(int value)
{
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
}

static int receive(void)
{
    int value = 0;
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

/* Whether the message of this step is received behind the checkpoint. */
static int crosses(const char *way, int step)
{
    return !strcmp(way, "message") || (step % 2 && !strcmp(way, "every-second"));
}

int main(int argc, char **argv)
{
    int step, sum = 0, all = 0, value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const char *way;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    way = argc > 1 ? argv[1] : "";
    /* MPI sends so little at once, whether or not it is wanted. */
    if (!strcmp(way, "init"))
        send(7);
    if (!strcmp(way, "init-request") && rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
#pragma cccp init
#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    way = argv[1];
    request = MPI_REQUEST_NULL;
#pragma cccp end execute
#pragma cccp register(step, sum, value)
    for (step = 1; step <= STEPS; step++) {
        value = step;
        send(step);
        if (!crosses(way, step))
            sum += receive();
        if (!strcmp(way, "request") && rank == 1)
            MPI_Irecv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
        if (!strcmp(way, "collective") && rank == 0)
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma cccp checkpoint
        if (!strcmp(way, "collective") && rank != 0)
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!strcmp(way, "request") && rank == 0)
            MPI_Send(&step, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
        if (crosses(way, step))
            sum += receive();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += value;
        /* Whoever comes to the next checkpoint knows that all have this one. */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d\n", way, all);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
