/* What threads set in a region ends with it: behind it the program has what it had before it. */
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
    omp_set_schedule(omp_sched_dynamic, 4);
    omp_set_num_threads(3);
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        if (me < 2) {
            omp_set_schedule(omp_sched_guided, 2 + me);
            omp_set_num_threads(5 + me);
        }
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step)
#pragma cccp checkpoint
#pragma omp atomic
            seen += look() * (me + 1);
        }
    }
    seen = seen * 7 + look();
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
#pragma omp atomic
            seen += omp_get_num_threads() * (look() + 1);
        }
    }
    printf("%ld\n", seen);
#pragma cccp shutdown
    return 0;
}
