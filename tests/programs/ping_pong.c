/* What counting costs: messages of 8 bytes to and fro, counted and not, in turns. For tests/benchmark. */
#define CCCP_MESSAGES
#include <cccp.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 7, ROUNDS = 200000 };

typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int receiver(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

static int rank;

/* Seconds for so many rounds. */
static double rounds(sender *send, receiver *receive)
{
    double value = 1, begun;
    int round;
    PMPI_Barrier(MPI_COMM_WORLD);
    begun = MPI_Wtime();
    for (round = 0; round < ROUNDS; round++) {
        if (rank == 0)
            send(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        receive(&value, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    return MPI_Wtime() - begun;
}

static int by_size(const void *one, const void *other)
{
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

int main(int argc, char **argv)
{
    double ratios[PAIRS], plain = 0;
    int pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rounds(PMPI_Send, PMPI_Recv);
    rounds(MPI_Send, MPI_Recv);
    for (pair = 0; pair < PAIRS; pair++) {
        double counted;
        /* Who is first takes turns. */
        if (pair % 2) {
            counted = rounds(MPI_Send, MPI_Recv);
            plain = rounds(PMPI_Send, PMPI_Recv);
        } else {
            plain = rounds(PMPI_Send, PMPI_Recv);
            counted = rounds(MPI_Send, MPI_Recv);
        }
        ratios[pair] = counted / plain;
    }
    qsort(ratios, PAIRS, sizeof *ratios, by_size);
    if (rank == 0)
        printf("%7.3f  %5.3f .. %5.3f  <= -     %7.3f us\n", ratios[PAIRS / 2], ratios[0], ratios[PAIRS - 1],
               plain / ROUNDS / 2 * 1e6);
    MPI_Finalize();
    return 0;
}
