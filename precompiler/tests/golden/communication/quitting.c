/* Ways of a switch on which the program ends leave nothing behind for the others; ways that go on have to send alike. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double u[8];
static int rank, mode, steps = 3;

static void quit(int code)
{
    MPI_Finalize();
    exit(code);
}

static void arguments(int argc, char **argv)
{
    int c;
    while (1) {
        c = getopt(argc, argv, "n:f:");
        if (c == -1)
            break;
        switch (c) {
        case 'n':
            steps = atoi(optarg);
            break;
        case 'f':
            if (strcmp(optarg, "slow") == 0)
                mode = 1;
            else {
                if (rank == 0)
                    printf("no such mode\n");
                quit(1);
            }
            break;
        default:
            quit(1);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    arguments(argc, argv);
    for (int i = 0; i < steps; i++) {
        u[0] += 1; /* safe */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    switch (mode) {
    case 1:
        MPI_Send(u, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
        break;
    default:
        quit(0);
    }
    u[2] = 1; /* unsafe */
    MPI_Recv(u, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    u[3] = 1;
    switch (mode) {
    case 1:
        MPI_Send(u, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
        break;
    case 2:
        break;
    }
    u[4] = 1; /* unsafe */
    MPI_Finalize();
    return 0;
}
