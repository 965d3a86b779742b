/* Each thread holds a lock of its own in a fixed heap at the checkpoint, and takes those of others between checkpoints. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long out[2];
int main(void)
{
    omp_nest_lock_t *own = NULL;
    omp_lock_t *all = NULL;
#pragma cccp init heap(fixed)
    own = calloc(2, sizeof *own);
    all = calloc(1, sizeof *all);
    omp_init_nest_lock(&own[0]);
    omp_init_nest_lock(&own[1]);
    omp_init_lock(all);
#pragma cccp register(out, own, all)
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), step = 0;
#pragma cccp register(me, step)
        for (step = 0; step < 20; step++) {
            omp_set_nest_lock(&own[me]);
            omp_set_nest_lock(&own[me]);
#pragma cccp checkpoint
            out[me] = out[me] * 3 + omp_test_nest_lock(&own[me]) + step;
            for (int k = 0; k < 3; k++)
                omp_unset_nest_lock(&own[me]);
#pragma omp barrier
            omp_set_lock(all);
            out[1 - me] += step;
            omp_unset_lock(all);
            omp_set_nest_lock(&own[1 - me]);
            out[1 - me] %= 10007;
            omp_unset_nest_lock(&own[1 - me]);
#pragma omp barrier
        }
    }
    printf("%ld %ld\n", out[0], out[1]);
#pragma cccp shutdown
    return 0;
}
