/* A field that threads of OpenMP go over between two checkpoints; no sum depends on how many they are. */
#include <stdio.h>

#define N 1000

static unsigned long u[N];

int main(void)
{
#pragma cccp init
    int step;
    unsigned long sum = 1;
#pragma cccp register(step, sum, u)
    for (step = 0; step < 8; step++) {
#pragma cccp checkpoint
        unsigned long added = 0;
#pragma omp parallel for reduction(+ : added)
        for (int i = 0; i < N; i++) {
            u[i] = 3 * u[i] + (unsigned long)i * sum;
            added += u[i];
        }
        sum = sum * 5 + added;
    }
    printf("%lu %lu\n", sum, u[77]);
#pragma cccp shutdown
    return 0;
}
