/* What the second protocol saves where threads come to a checkpoint at different times, and have work of their own behind it:
 *
 *     skewed [STEPS]
 *
 * Time of a step: one thread comes late by as long as the other one works behind the checkpoint. CCCP_PROTOCOL says which
 * protocol. */
#define _POSIX_C_SOURCE 199309L
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Unknown to the compiler, so that it does the work where it stands. */
static volatile long much = 20000000;
static volatile double sink;

static double work(long seed, long times)
{
    double x = seed;
    for (long i = 0; i < times; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    double total = 0, begun, alone, took;
    struct timespec late;
#pragma cccp init
    begun = omp_get_wtime();
    sink = work(2, much);
    alone = omp_get_wtime() - begun;
    late.tv_sec = (time_t)alone;
    late.tv_nsec = (long)((alone - late.tv_sec) * 1e9);
    begun = omp_get_wtime();
#pragma cccp register(total, steps, begun, alone, late)
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), step;
        double own = 0;
        long each = much;
        for (step = 0; step < steps; step++) {
#pragma cccp register(me, own, step, each)
            if (me == 0)
                nanosleep(&late, 0);
#pragma cccp checkpoint every(1)
            for (long i = 0; i < (me == 0 ? 0 : each); i++)
                own = own * 0.999999 + 1e-6;
#pragma omp barrier
        }
#pragma omp critical
        total += own;
    }
    took = omp_get_wtime() - begun;
    printf("a step takes %.2f times the work\n", took / steps / alone);
#pragma cccp shutdown
    return total < 0;
}
