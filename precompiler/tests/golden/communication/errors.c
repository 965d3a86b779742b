/* What only ends MPI and then the process with an error is no communication, wherever it is called. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double u[8];

static void leave(int status)
{
    MPI_Finalize();
    exit(status);
}

static void say(const char *name)
{
    FILE *file = fopen(name, "a");
    if (!file)
        leave(1);
    fputs("on the way\n", file);
    fclose(file);
}

/* Others wait for what it sends. */
static void tell(int rank)
{
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    exit(1);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        u[1] += 1; /* safe */
        if (rank == 0)
            say("log");
        MPI_Bcast(u, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 10; i++) {
        u[2] += 1; /* unsafe */
        FILE *file = fopen("more", "r");
        if (!file)
            tell(rank);
        fclose(file);
        MPI_Bcast(u, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
