/* Two places for checkpoints: at the first one the first rank has little and the others have much, at the second one all have the same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double between(int pass, double sum, long n)
{
    long i;
    double *held = malloc(n * sizeof *held);
#pragma cccp register(pass, sum, n, held[n])
    for (i = 0; i < n; i++)
        held[i] = sum + i * 0.001;
#pragma cccp checkpoint
    for (i = 0; i < n; i++)
        sum += held[i] / (1000.0 * n + pass);
#pragma cccp unregister(held)
    free(held);
    return sum;
}

static double within(int pass, double sum)
{
    double much[1000];
    int i;
#pragma cccp register(much, sum, pass)
    for (i = 0; i < 1000; i++)
        much[i] = sum + i * 0.001;
#pragma cccp checkpoint
    for (i = 0; i < 1000; i++)
        sum += much[i] / (1000.0 + pass);
    return sum;
}

int main(int argc, char **argv)
{
    int pass, passes = argc > 1 ? atoi(argv[1]) : 100, rank;
    double sum = 1, all;
    MPI_Init(&argc, &argv);
#pragma cccp init
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cccp register(pass, sum, rank)
    for (pass = 1; pass <= passes; pass++) {
        sum = between(pass, sum, rank ? 30000 : 1) * 0.5;
        sum = within(pass, sum) * 0.5;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = all * 0.25;
    }
#pragma cccp shutdown
    if (rank == 0)
        printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
