/* One rank reads which of several time loops is run, and how long; the ranks do not communicate in any of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void relax(double *u, int n, int steps)
{
    int step, i;
    for (step = 0; step < steps; step += 2)
        for (i = 1; i < n - 1; i++)
            u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + 1e-3 * step;
}

int main(int argc, char **argv)
{
    int rank, n, steps, mode, step, i, errors = 0, failed;
    double *u, sum = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        mode = argc > 1 ? atoi(argv[1]) : 2;
        steps = argc > 2 ? atoi(argv[2]) : 40;
        n = argc > 3 ? atoi(argv[3]) : 300;
        if (steps < 1)
            errors = 1;
    }
    MPI_Allreduce(&errors, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed) {
        MPI_Finalize();
        exit(1);
    }
    MPI_Bcast(&mode, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    u = malloc(n * sizeof *u);
    for (i = 0; i < n; i++)
        u[i] = rank + i % 7;
    switch (mode) {
    case 1:
        relax(u, n, steps);
        break;
    case 2:
        for (step = 0; step < steps; step++)
            for (i = 1; i < n - 1; i++)
                u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 1e-3 * rank;
        break;
    default:
        for (step = 0; step < steps; step++)
            for (i = 0; i < n; i++)
                u[i] = 0.9 * u[i] + step;
    }
    for (i = 0; i < n; i++)
        sum += u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.15g\n", all);
    free(u);
    MPI_Finalize();
    return 0;
}
