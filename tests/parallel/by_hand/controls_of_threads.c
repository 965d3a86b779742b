/* Each thread of a region says for itself how loops are shared out, how many threads its regions have, and whether they nest. */
#include <omp.h>
#include <stdio.h>

static long seen;

static long look(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    return (kind & 7) * 1000 + chunk * 100 + omp_get_max_active_levels() * 10 + omp_get_max_threads();
}

int main(void)
{
#pragma cccp init
#pragma cccp register(seen)
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        omp_set_schedule(omp_sched_dynamic, 3 + me);
        omp_set_num_threads(2 + me);
        omp_set_max_active_levels(2);
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step)
#pragma cccp checkpoint
#pragma omp atomic
            seen += look() * (me + 1) * (step + 1);
            if (step == 7)
                omp_set_schedule(omp_sched_guided, 2 + me);
        }
    }
    /* Here they come unequally often, and some stand at barriers. */
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        omp_set_schedule(omp_sched_static, 5 + me);
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step)
            if (me == 0) {
#pragma cccp checkpoint
            }
#pragma omp barrier
#pragma omp atomic
            seen += look() * (me + 1) * (step + 1);
        }
    }
    printf("%ld\n", seen);
#pragma cccp shutdown
    return 0;
}
