/* Collective calls, values that all ranks have, and conditions that part them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double u[8], total;

static int read_steps(int rank)
{
    int steps = 0;
    if (rank == 0 && scanf("%d", &steps) != 1)
        steps = 10;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return steps; /* safe */
}

int main(int argc, char **argv)
{
    int rank, size, steps, mine = 3;
    double error = 1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    steps = read_steps(rank);
    for (int step = 0; step < steps; step++) {
        u[0] += 1; /* safe */
        MPI_Allreduce(u, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    while (error > 1e-6) {
        u[0] += 1; /* safe */
        error = u[0];
        MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Bcast(u, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else {
        u[1] = 2; /* unsafe */
        MPI_Bcast(u, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    u[0] += 2; /* safe */
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    u[0] += 3; /* unsafe: request */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    u[0] += 4; /* safe */
    if (rank == 0)
        MPI_Reduce(u, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    u[0] += 5; /* unsafe: collective */
    if (rank != 0)
        MPI_Reduce(u, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    u[0] += 6; /* safe */
    if (rank == 0)
        mine = getchar();
    for (int i = 0; i < mine; i++)
        u[0] += 7; /* alone */
    u[0] += 8; /* safe */
    for (int i = 0; i < mine; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    u[0] += 9; /* unsafe: iterate this loop differently often */
    MPI_Finalize();
    return 0;
}
