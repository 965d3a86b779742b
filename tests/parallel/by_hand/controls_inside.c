/* What threads set for loops and for regions inside is their own in each team, and back behind it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long out[4][8];
static int chunk(void)
{
    omp_sched_t kind = omp_sched_static;
    int found = 0;
    omp_get_schedule(&kind, &found);
    return found;
}
static void work(int me, int rounds)
{
#pragma cccp register(me, rounds)
#pragma omp parallel
    {
        int who = omp_get_thread_num(), round = 0;
        long own = who;
#pragma cccp register(who, round, own)
        for (round = 0; round < rounds; round++) {
#pragma cccp checkpoint
            own += omp_get_num_threads() * 100 + chunk();
            if (round == 2) omp_set_schedule(omp_sched_dynamic, 10 + who);
            for (int i = 0; i <= who; i++) own += i;
#pragma omp barrier
        }
#pragma omp atomic
        out[me][who] += own;
    }
}
int main(void)
{
#pragma cccp init
#pragma cccp register(out)
    omp_set_num_threads(3);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), k = 0;
#pragma cccp register(me, k)
        omp_set_max_active_levels(3);
        omp_set_num_threads(2 + me);
        omp_set_schedule(omp_sched_static, 5 + me);
        for (k = 0; k < 3; k++) {
                work(me, 4 + me);
#pragma omp atomic
            out[me][7] += chunk() * 1000 + omp_get_max_threads();
#pragma omp barrier
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 8; j++)
            printf("%ld ", out[i][j]);
        printf("\n");
    }
    printf("%d\n", omp_get_max_threads());
#pragma cccp shutdown
    return 0;
}
