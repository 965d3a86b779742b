/* refused: rank 1 never comes to it | (line 59) | let it do so in rounds */
/* The number of a rank is in a struct, from where it goes into others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
    int rank, size, rounds;
    double *value;
};

static double work(double x)
{
    for (int i = 0; i < 100; i++)
        x = x * 0.5 + i;
    return x;
}

static void serve(struct run *run)
{
    double x;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&x, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == 0)
            break;
        x = work(x);
        MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }
}

static void hand_out(struct run *run)
{
    for (int round = 0; round < run->rounds; round++) {
        for (int i = 1; i < run->size; i++)
            MPI_Send(&run->value[i], 1, MPI_DOUBLE, i, 1, MPI_COMM_WORLD);
        for (int i = 1; i < run->size; i++)
            MPI_Recv(&run->value[i], 1, MPI_DOUBLE, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        run->value[0] = work(run->value[0]);
    }
    for (int i = 1; i < run->size; i++)
        MPI_Send(&run->value[i], 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
}

static struct run *begin(int rounds)
{
    int rank;
    struct run *run = malloc(sizeof *run);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run->size);
    run->rank = rank;
    run->rounds = rounds;
    run->value = calloc(run->size, sizeof *run->value);
    return run;
}

static void go(struct run *run)
{
    if (run->rank > 0) {
        serve(run);
        return;
    }
    hand_out(run);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct run *run = begin(argc > 1 ? atoi(argv[1]) : 30);
    go(run);
    if (run->rank == 0)
        printf("%.17g\n", run->value[0] + run->value[run->size - 1]);
    MPI_Finalize();
    return 0;
}
