/* Random trials of each thread, with a generator of its own and blocks on the heap. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state;
#pragma omp threadprivate(state)

static unsigned draw(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

int main(void)
{
    unsigned long hits = 0, lowest = ~0ul;
    unsigned histogram[16] = {0};
    long trial;
#pragma omp parallel reduction(+ : hits) reduction(min : lowest)
    {
        unsigned *own = calloc(16, sizeof *own);
        state = 12345u + 77u * (unsigned)omp_get_thread_num();
#pragma omp for schedule(static)
        for (trial = 0; trial < 200000; trial++) {
            unsigned x = draw() % 1000u, y = draw() % 1000u;
            if (x * x + y * y < 1000000u)
                hits++;
            own[(x ^ y) % 16]++;
            if (x + y < lowest)
                lowest = x + y;
        }
#pragma omp critical
        for (int k = 0; k < 16; k++)
            histogram[k] += own[k];
        free(own);
    }
    printf("%lu %lu\n", hits, lowest);
    for (int k = 0; k < 16; k++)
        printf("%u ", histogram[k]);
    printf("\n");
    return 0;
}
