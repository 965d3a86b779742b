/* Each rank but the first one prints into a file of its own, or into none. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, step;
    double x, all = 0;
    char name[32];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "rank-%d.txt", rank);
    if (rank % 2 == 1 && freopen(name, "w", stdout) == NULL)
        return 1;
    if (rank > 1 && freopen("/dev/null", "w", stdout) == NULL)
        return 1;
    x = rank;
    for (step = 0; step < 12; step++) {
        x = x * 1.25 + step;
        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank > 0)
            printf("%d %.17g %.17g\n", step, x, all);
        x -= all / 1000;
    }
    printf("%.17g\n", all);
    MPI_Finalize();
    return 0;
}
