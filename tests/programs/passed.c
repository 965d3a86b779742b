/* What a checkpoint costs at which nothing is due, in nanoseconds of a processor: a loop with one and the same without, in one run. */
#ifdef RANKS
#include <mpi.h>
#endif
#include <stdio.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int argc, char **argv)
{
    long pass, passes = 50000000;
    double begun, without, with;
    (void)argc;
    (void)argv;
#ifdef RANKS
    MPI_Init(&argc, &argv);
#endif
#pragma cccp init
#pragma cccp register(pass, begun, without)
    begun = seconds();
    for (pass = 0; pass < passes; pass++)
        __asm__ volatile("" : : "r"(pass));
    without = seconds() - begun;
    begun = seconds();
    for (pass = 0; pass < passes; pass++) {
        __asm__ volatile("" : : "r"(pass));
#pragma cccp checkpoint
    }
    with = seconds() - begun;
    printf("%.2f ns (%.2f without)\n", 1e9 * (with - without) / passes, 1e9 * without / passes);
#pragma cccp shutdown
#ifdef RANKS
    MPI_Finalize();
#endif
    return 0;
}
