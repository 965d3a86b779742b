/* A computation of so many steps, each of which takes some time; what it prints depends on all of them. */
#ifdef RANKS
#include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank = 0;
#ifdef RANKS
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
#pragma cccp init
    long steps = argc > 1 ? atol(argv[1]) : 100;
    long wait = argc > 2 ? atol(argv[2]) : 0;
    struct timespec pause = {wait / 1000, wait % 1000 * 1000000};
    unsigned long sum = 7, all = 0;
    long step;
#pragma cccp register(steps, wait, pause, step, sum, all)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        all = sum;
#ifdef RANKS
        MPI_Allreduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
#endif
        sum = all * 6364136223846793005u + (unsigned long)(step + rank);
        if (wait > 0)
            nanosleep(&pause, NULL);
    }
    if (rank == 0)
        printf("after %ld steps: %lx\n", steps, sum);
#pragma cccp shutdown
#ifdef RANKS
    MPI_Finalize();
#endif
    return 0;
}
