/* The time loop is in a region, and what each thread has of its own is the same for all of them. The tests put other lines in the place
   of those with a comment. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static unsigned long u[N], w[N];

int main(void)
{
    int steps = 24;
    unsigned long rounds = 0, last = 0, *field = calloc(N, sizeof *field);
#pragma cccp init
#pragma cccp register(rounds, u, field[N])
#pragma omp parallel /* clauses */
    {
        unsigned long seed = 17, weights[3] = {1, 2, 3};
        int step;
        /* begun */
#pragma cccp register(seed, weights, step)
        for (step = 0; step < steps; step++) {
#pragma cccp checkpoint name(inside)
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++)
                w[i] = u[i] * 3 + weights[i % 3] + seed % 7;
#pragma omp single
            rounds += seed % 5; /* one */
#pragma omp for
            for (int i = 0; i < N; i++) {
                u[i] = w[i] % 10007;
                field[i] += u[i];
            }
            seed = seed * 1103515245u + 12345u;
            weights[step % 3] += seed % 3;
            /* own */
        }
#pragma omp single
        last = seed + weights[0];
    }
    unsigned long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 5 + field[i];
    printf("%lu %lu %lu %lu\n", rounds, last, u[77], sum);
#pragma cccp shutdown
    free(field);
    return 0;
}
