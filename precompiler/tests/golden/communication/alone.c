/* Loops that ranks iterate differently often: no harm while nobody communicates in them, they are entered once, and there
   are no checkpoints elsewhere. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static double u[8];
static int mine;
static void (*chosen)(void);

static void add(void)
{
    u[1] += 1;
}

/* Called once. */
static void once(void)
{
    for (int i = 0; i < mine; i++) {
        u[1] += 1; /* alone */
        if (u[1] > 10)
            u[1] -= 10; /* alone */
        for (int k = 0; k < i; k++)
            u[2] += 1; /* alone */
        add();
    }
    u[1] = 0; /* safe */
}

/* Called twice. */
static void twice(void)
{
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe: entered once */
}

/* Called in a loop. */
static void often(void)
{
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe: entered once */
}

/* Called by the library, nobody knows how often. */
static void at_exit(void)
{
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe */
}

/* Called from here and through a pointer. */
static void pointed(void)
{
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe: entered once */
}

/* In a function that is called from such a loop: who knows from where else. */
static void inner(void)
{
    u[3] += 1; /* unsafe */
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = atoi(argv[1]) / (rank + 1);
    once();
    twice();
    MPI_Barrier(MPI_COMM_WORLD);
    twice();
    for (int step = 0; step < atoi(argv[1]); step++) {
        u[0] += 1; /* safe */
        often();
        for (int i = 0; i < mine; i++)
            u[1] += 1; /* unsafe: entered once */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    atexit(at_exit);
    chosen = pointed;
    pointed();
    chosen();
    for (int i = 0; i < mine; i++) {
        u[1] += 1; /* alone */
        inner();
    }
    inner();
    int round = 0;
again:
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe */
    round++;
    if (round < atoi(argv[1]))
        goto again;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe: request */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        for (int i = 0; i < mine; i++)
            u[1] += 1; /* unsafe */
    for (int i = 0; i < mine; i++) {
        u[1] += 1; /* unsafe */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
