/* what is set for loops and regions now and then: in a macro, in a call, behind a label, in a condition */
#include <omp.h>
#include <stdio.h>

#define MAYBE(k) ((k) == 5 ? omp_set_schedule(omp_sched_dynamic, 4) : (void) 0)

static double grid[640];
static long seen[64];

static int sets(int k)
{
    return k == 7 && (omp_set_num_threads(k - 5), 1);
}

int main(void)
{
    int n = 20, k;
    double sum = 0;
    for (int i = 0; i < 640; i++)
        grid[i] = i;
    for (k = 0; k < n; k++) {
        MAYBE(k);
        if (sets(k))
            seen[30]++;
        switch (k) {
        case 9:
            omp_set_dynamic(0); /* fall through */
        case 10:
            omp_set_schedule(omp_sched_guided, k);
            break;
        default:
            break;
        }
        while (k == 12 && (omp_set_schedule(omp_sched_static, 9), seen[29]++ < 3))
            seen[28]++;
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < 640; i++)
            grid[i] = grid[i] * 0.5 + i * 0.25;
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        seen[kind & 15] += chunk;
        seen[20] += omp_get_max_threads() * k;
    }
    for (int i = 0; i < 640; i++)
        sum += grid[i];
    printf("%.10g", sum);
    for (int i = 0; i < 32; i++)
        printf(" %ld", seen[i]);
    printf("\n");
    return 0;
}
