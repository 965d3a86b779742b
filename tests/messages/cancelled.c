/* A receive that waits for whoever has something to say is cancelled at the end of each step, whether anything has come or not. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#define STEPS 12

int main(int argc, char **argv)
{
    int rank, size, step;
    double value = 1, all, came, said;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int tests = !strcmp(argv[1], "tested"), lists = !strcmp(argv[1], "listed");
    int persists = !strcmp(argv[1], "persistent");
#pragma cccp init
#pragma cccp register(rank, size, step, value, tests, lists, persists, came, said)
    for (step = 0; step < STEPS; step++) {
#pragma cccp checkpoint every(1) messages(counted)
        MPI_Request waiting = MPI_REQUEST_NULL;
        MPI_Status status;
        int done = 0, cancelled = 0;
        came = 0;
        said = value / 2 + rank;
        if (persists) {
            MPI_Recv_init(&came, 1, MPI_DOUBLE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &waiting);
            MPI_Start(&waiting);
        } else
            MPI_Irecv(&came, 1, MPI_DOUBLE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &waiting);
        /* In every third step rank 0 hears nothing. */
        if (rank != size - 1 || step % 3 != 0)
            MPI_Ssend(&said, 1, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Cancel(&waiting);
        if (tests)
            while (!done)
                MPI_Test(&waiting, &done, &status);
        else if (lists)
            MPI_Waitall(1, &waiting, &status);
        else
            MPI_Wait(&waiting, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (persists)
            MPI_Request_free(&waiting);
        value = value / 3 + came + step + 10 * cancelled;
    }
    MPI_Reduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %s\n", all, argv[1]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
