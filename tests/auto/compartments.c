/* A table keeps a communicator and memory, and both are asked for in each pass. As far as pointers say, MPI's own variable for the communicator
 * leads to the values, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct shelf {
    double *values;
};

static void *compartments[3];

static void *compartment(int at)
{
    return compartments[at];
}

int main(int argc, char **argv)
{
    int step, rank;
    double sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    compartments[0] = MPI_COMM_WORLD;
    compartments[1] = malloc(sizeof(struct shelf));
    ((struct shelf *)compartment(1))->values = malloc(4 * sizeof(double));
    for (step = 0; step < 4; step++)
        ((struct shelf *)compartment(1))->values[step] = rank;
    for (step = 0; step < 20; step++) {
        struct shelf *shelf = compartment(1);
        double all = 0;
        shelf->values[step % 4] += step;
        MPI_Allreduce(&shelf->values[step % 4], &all, 1, MPI_DOUBLE, MPI_SUM, (MPI_Comm)compartment(0));
        sum += all * (step + 1);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
