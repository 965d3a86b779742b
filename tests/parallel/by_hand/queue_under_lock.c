/* One thread makes jobs and comes to checkpoints; the others take jobs under a lock, and come to none. */
#include <omp.h>
#include <stdio.h>
#define JOBS 60
static double job[JOBS], result[JOBS];
static int made, taken;
static omp_lock_t guard;

/* The number of a job, or -1 where there is none left; -2 where there is none yet. */
static int take(void)
{
    int found = -2;
    omp_set_lock(&guard);
    if (taken < made)
        found = taken++;
    else if (made == JOBS)
        found = -1;
    omp_unset_lock(&guard);
    return found;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(job, result, made, taken, guard)
    omp_init_lock(&guard);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        int k = 0, w = 0, got = 0;
        double x = 0;
#pragma cccp register(me, all, k, got)
        if (me == 0) {
            for (k = 0; k < JOBS; k++) {
#pragma cccp checkpoint
                x = k;
                for (w = 0; w < 2000; w++)
                    x = x * 0.999 + 0.001 * (w % 7);
                omp_set_lock(&guard);
                job[k] = x;
                made++;
                omp_unset_lock(&guard);
            }
        }
        if (me > 0 || all == 1) {
            while (got != -1) {
                got = take();
                if (got >= 0) {
                    x = job[got];
                    for (w = 0; w < 500; w++)
                        x = x * 0.999 + 0.001 * (w % 5);
                    result[got] = x;
                }
            }
        }
    }
    double t = 0;
    for (int i = 0; i < JOBS; i++) t += result[i] * (i + 1);
    printf("%.17g %d\n", t, taken);
    omp_destroy_lock(&guard);
#pragma cccp shutdown
    return 0;
}
