/* Ranks that pass their checkpoints unequally often, each in another way: argv[2]. Each pass hands a value to the neighbour. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static double exchange(double own)
{
    double other = 0;
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, (rank + 1) % size, 0, &other, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return other;
}

/* Each rank has as many blocks as its number says. */
static double over_blocks(double sum, int blocks)
{
    int block;
#pragma cccp register(block, sum)
    for (block = 0; block < blocks; block++) {
        sum = sum * 1.0009765625 + block;
#pragma cccp checkpoint
    }
    return sum;
}

static void only_now(int is_turn)
{
    if (is_turn) {
#pragma cccp checkpoint
    }
}

/* One of a row may leave out what comes behind it. */
static int here(int is_left_out)
{
    if (is_left_out)
        return 0;
#pragma cccp checkpoint
    return 1;
}

#define ONLY_WHEN(condition) if (condition)

int main(int argc, char **argv)
{
    int pass, passes, own;
    const char *how;
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    passes = atoi(argv[1]);
    how = argv[2];
#pragma cccp init
#pragma cccp register(pass, sum)
    sum = rank + 1;
    for (pass = 1; pass <= passes; pass++) {
        sum = sum * 1.0009765625 + (strcmp(how, "alone") == 0 ? 1 : exchange(sum));
        own = rank == 0 || pass % 2 == 0;
        if (strcmp(how, "condition") == 0 || strcmp(how, "alone") == 0) {
            if (own) {
#pragma cccp checkpoint
            }
        } else if (strcmp(how, "blocks") == 0) {
            sum = over_blocks(sum, 1 + rank % 2);
        } else if (strcmp(how, "function") == 0) {
            only_now(own);
        } else if (strcmp(how, "places") == 0) {
            if (own) {
#pragma cccp checkpoint
            }
            sum += 1;
#pragma cccp checkpoint
        } else if (strcmp(how, "ahead") == 0) {
            if (rank == 0) {
#pragma cccp checkpoint
            }
            sum += exchange(sum);
#pragma cccp checkpoint
        } else if (strcmp(how, "around") == 0) {
            if (rank != 0)
                goto behind;
#pragma cccp checkpoint
        behind:
            sum += exchange(sum);
#pragma cccp checkpoint
        } else if (strcmp(how, "next") == 0) {
            if (!own)
                continue;
#pragma cccp checkpoint
        } else if (strcmp(how, "return") == 0) {
            here(!own);
        } else if (strcmp(how, "operand") == 0) {
            sum += own && here(0) ? 1 : 2;
        } else if (strcmp(how, "macro") == 0) {
            ONLY_WHEN (own) {
                here(0);
            }
        } else if (strcmp(how, "apart") == 0) {
            /* Each rank has places of its own, as a master and its workers. */
            switch (rank) {
            case 0:
                sum += here(0);
                break;
            default:
                sum += 2 * here(0);
            }
            if (rank == 0) {
                sum += 3 * here(0);
                continue;
            }
            sum += here(0);
        } else {
#pragma cccp checkpoint
        }
        if (pass == 31 && rank == 0 && argc > 3)
            raise(SIGTERM);
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", all);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
