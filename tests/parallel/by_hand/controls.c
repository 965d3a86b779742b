/* What the program says about its regions before they begin: how loops are shared out, and that teams nest. */
#include <omp.h>
#include <stdio.h>
static double u[40];
static long seen, inner;
int main(void)
{
#pragma cccp init
    omp_set_schedule(omp_sched_dynamic, 3);
    omp_set_max_active_levels(2);
#pragma cccp register(u, seen, inner)
#pragma omp parallel
    for (int step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
#pragma omp for schedule(runtime)
        for (int i = 0; i < 40; i++)
            u[i] = u[i] * 0.5 + step;
        long team = 0;
#pragma omp parallel num_threads(2) reduction(+ : team)
        team += omp_get_num_threads();
#pragma omp atomic
        inner += team;
#pragma omp single
        {
            omp_sched_t kind;
            int chunk;
            omp_get_schedule(&kind, &chunk);
            seen += (kind & 7) * 100 + chunk * 10 + omp_get_max_active_levels();
        }
    }
    printf("%.17g %ld %ld\n", u[7] + u[39], seen, inner);
#pragma cccp shutdown
    return 0;
}
