/* each thread sets in the region, now and then and from what changes, how its loops and regions are shared out */
#include <omp.h>
#include <stdio.h>

static double grid[640];
static long seen[64];

int main(void)
{
    int n = 20, k;
    double sum = 0;
    for (int i = 0; i < 640; i++)
        grid[i] = i;
#pragma omp parallel private(k)
    {
        int me = omp_get_thread_num();
        for (k = 0; k < n; k++) {
            if (k == 5 || (k == 8 && n > 9))
                omp_set_schedule(k > 6 ? omp_sched_dynamic : omp_sched_static, k);
            if (me == 1 && k == 7)
                omp_set_num_threads(me + 2);
#pragma omp for schedule(runtime)
            for (int i = 0; i < 640; i++)
                grid[i] = grid[i] * 0.5 + i * 0.25;
            omp_sched_t kind;
            int chunk;
            omp_get_schedule(&kind, &chunk);
#pragma omp atomic
            seen[kind & 15] += chunk * (me + 1);
#pragma omp atomic
            seen[20] += omp_get_max_threads() * k;
        }
    }
    for (int i = 0; i < 640; i++)
        sum += grid[i];
    printf("%.10g", sum);
    for (int i = 0; i < 32; i++)
        printf(" %ld", seen[i]);
    printf("\n");
    return 0;
}
