/* One thread draws a number and hands it to the others with copyprivate; each keeps random numbers of its own from region to region, and
   memory of its own on the heap. Work is shared out three calls below the region. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 60

static unsigned drawn = 5u;
#pragma omp threadprivate(drawn)
static unsigned field[N], seen[16];

static void work(const unsigned *weights, int lot)
{
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < N; i++)
        field[i] += weights[i % 8] * (unsigned)lot + 1u;
}

static void round_of(const unsigned *weights, int lot) { work(weights, lot); }

static void once(unsigned *weights, int step)
{
    int lot;
#pragma omp single copyprivate(lot)
    lot = step * 7 % 11 + (int)(field[step % N] % 5u);
    for (int i = 0; i < 8; i++)
        weights[i] = weights[i] * 3u + (unsigned)lot;
    round_of(weights, lot);
    drawn = drawn * 1103515245u + 12345u + (unsigned)lot;
}

int main(void)
{
    unsigned sum = 0u;
#pragma omp parallel num_threads(4)
    drawn += (unsigned)omp_get_thread_num();
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        unsigned *weights = malloc(8 * sizeof *weights);
        for (int i = 0; i < 8; i++)
            weights[i] = 2u;
        for (int step = 0; step < 40; step++) {
            once(weights, step);
            sum += weights[3];
        }
        free(weights);
    }
#pragma omp parallel num_threads(4)
    seen[omp_get_thread_num()] = drawn;
    for (int i = 0; i < N; i++)
        sum = sum * 31u + field[i];
    printf("%u %u %u %u %u\n", sum, seen[0], seen[1], seen[2], seen[3]);
    return 0;
}
