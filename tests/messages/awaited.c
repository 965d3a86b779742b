/* What was sent is waited for in the next step, tested for, or never completed; what receives is completed in its own step, but not
 * on every way through it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define STEPS 12
#define WORDS 4

static MPI_Request later[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

static void finish(MPI_Request *request)
{
    int done = 0;
    while (!done)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, step;
    double value = 1, all, came[WORDS], went[2][WORDS];
    MPI_Request *in, *out;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argv[1];
    int tests = !strcmp(way, "tested"), waits = !strcmp(way, "awaited");
    in = malloc(sizeof *in);
    out = malloc(sizeof *out);
    *in = *out = MPI_REQUEST_NULL;
#pragma cccp init
#pragma cccp register(rank, size, step, value, tests, waits, in[], out[], later, came, went)
    for (step = 0; step < STEPS; step++) {
#pragma cccp checkpoint every(1) messages(counted)
        double *buffer = went[step % 2];
        if (tests)
            finish(&later[step % 2]);
        else if (waits)
            MPI_Waitall(2, later, MPI_STATUSES_IGNORE);
        for (int i = 0; i < WORDS; i++)
            buffer[i] = value * 0.5 + rank + i;
        MPI_Isend(buffer, WORDS, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD,
                  tests || waits ? &later[step % 2] : out);
        if (size > 1)
            MPI_Irecv(came, WORDS, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD, in);
        value = value / 3 + step;
        if (size > 1)
            finish(in);
        /* Whoever sent it has received what came later: it is complete. */
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < WORDS; i++)
            value += came[i] / WORDS;
    }
    MPI_Reduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %s\n", all, argv[1]);
#pragma cccp shutdown
    MPI_Waitall(2, later, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
