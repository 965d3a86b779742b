/* A field, a count and a largest value, over which threads go between two checkpoints. Nothing that is saved depends on how many they
   are. The tests put other lines in the place of those with a comment. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static unsigned long u[N], w[N];

int main(void)
{
    int i, j, step, steps = 24;
    unsigned long t, hits = 0, most = 0, rounds = 0;
    long own = 7;
    unsigned long *scratch = calloc((size_t)omp_get_max_threads(), sizeof *scratch); /* set up */
#pragma cccp init
    /* begun */
#pragma cccp register(step, hits, most, rounds, own, u)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint name(top)
#pragma omp parallel private(i, j, t) reduction(+ : hits)
        {
            scratch[omp_get_thread_num()] = 0;
#pragma omp for schedule(dynamic, 7)
            for (i = 0; i < N; i++) {
                t = 0;
                for (j = 0; j < 3; j++)
                    t += u[i] * (unsigned long)j + 1;
                w[i] = t * 5 + (unsigned long)i;
                if (w[i] % 3 == (unsigned long)step % 3)
                    hits++;
            }
#pragma omp single
            rounds += 2;
#pragma omp for
            for (i = 0; i < N; i++)
                u[i] = w[i] % 10007; /* second */
        }
#pragma omp parallel for reduction(max : most)
        for (int k = 0; k < N; k++) {
            if (u[k] * 31 % 4099 > most)
                most = u[k] * 31 % 4099;
        }
        /* between */
    }
    printf("%lu %lu %lu %ld %lu\n", hits, most, rounds, own, u[77]);
#pragma cccp shutdown
    free(scratch);
    return 0;
}
