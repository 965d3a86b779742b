/* Ranks that do argv[1] passes. argv[2] says what happens on the way, argv[3] on which rank. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
#ifdef HALF
static MPI_Comm ring;
#else
#define ring MPI_COMM_WORLD
#endif

/* A value from the left neighbour: nobody is more than a pass ahead of it. */
static double exchange(double own)
{
    double other = 0;
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, &other, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, ring,
                 MPI_STATUS_IGNORE);
    return other;
}

static void make(const char *name)
{
    FILE *made = fopen(name, "w");
    if (made)
        fclose(made);
}

static void wait_for(const char *name)
{
    while (access(name, F_OK) != 0)
        usleep(1000);
}

int main(int argc, char **argv)
{
    int pass, passes = 100, which = 0, apart, own_way;
    const char *what = "nothing";
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        passes = atoi(argv[1]);
    if (argc > 2)
        what = argv[2];
    if (argc > 3)
        which = atoi(argv[3]);
    apart = strcmp(what, "apart") == 0;
    own_way = strcmp(what, "own way") == 0 && rank != which;
#ifdef HALF
    /* All but the last one, which works on its own. */
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, rank, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    if (size == 1) {
        for (pass = 1; pass <= passes; pass++)
            sum = sum * 1.0009765625 + pass;
        MPI_Comm_free(&ring);
        MPI_Finalize();
        return sum > 0 ? 0 : 1;
    }
#pragma cccp init comm(ring)
#else
#pragma cccp init
#endif
#pragma cccp register(pass, sum)
    sum = rank + 1;
    for (pass = 1; pass <= passes; pass++) {
        sum = sum * 1.0009765625 + (apart ? rank : exchange(sum));
        if (pass == 31 && rank == which) {
            if (strcmp(what, "term") == 0)
                raise(SIGTERM);
            if (strcmp(what, "usr1") == 0)
                raise(SIGUSR1);
        }
        /* One rank is far behind another one, which asks for a checkpoint meanwhile. */
        if (apart && pass == 31 && rank != which)
            raise(SIGUSR1);
        if (apart && pass == 10 && rank == which)
            wait_for("others");
        if (apart && pass == 60 && rank == (which + 1) % size)
            make("others");
        if (!own_way) {
#ifdef COUNTED
#pragma cccp checkpoint messages(counted)
#else
#pragma cccp checkpoint
#endif
        }
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, ring);
    if (rank == 0)
        printf("%.17g\n", all);
    if (strcmp(what, "forgets") != 0) {
#pragma cccp shutdown
    }
    MPI_Finalize();
    return 0;
}
