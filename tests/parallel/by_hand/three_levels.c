/* Threads of three levels: not every thread enters the innermost region, some regions have one thread, and all use one lock. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long out[64];
static omp_lock_t lock;
static void deepest(int me, int rounds)
{
    long sum = me;
#pragma cccp register(me, rounds, sum)
#pragma omp parallel num_threads(2)
    {
        int who = omp_get_thread_num(), r = 0;
        long own = who;
#pragma cccp register(who, r, own)
        for (r = 0; r < rounds; r++) {
#pragma cccp checkpoint
            own = own * 3 + r;
#pragma cccp checkpoint
            omp_set_lock(&lock);
            out[me] += own % 11;
            out[me] += 1;
            omp_unset_lock(&lock);
#pragma omp barrier
            if (who == 0) sum += 3;
#pragma omp barrier
            own += sum;
        }
#pragma omp atomic
        out[me] += own % 1000;
    }
}
static void middle(int me, int rounds)
{
    int n = me % 2 ? 1 : 2;
#pragma cccp register(me, rounds, n)
#pragma omp parallel num_threads(n)
    {
        int who = omp_get_thread_num(), k = 0;
#pragma cccp register(who, k)
        for (k = 0; k < 2; k++) {
            if ((who + me + k) % 3)
                deepest(me * 4 + who * 2, rounds + k);
            else {
#pragma omp atomic
                out[me * 4 + who * 2 + 1] += k + 1;
            }
#pragma omp barrier
        }
    }
}
int main(void)
{
    omp_init_lock(&lock);
    omp_set_max_active_levels(4);
#pragma cccp init
#pragma cccp register(out, lock)
    int t = 0;
#pragma cccp register(t)
    for (t = 0; t < 2; t++) {
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
#pragma cccp register(me)
        if (me != t) middle(me, 3 + me);
#pragma omp barrier
#pragma omp atomic
        out[63] += 1;
        middle(me, 2);
    }
    }
    for (int j = 0; j < 64; j++)
        printf("%ld ", out[j]);
    printf("\n");
#pragma cccp shutdown
    return 0;
}
