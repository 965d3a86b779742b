/* Threads have copies of parameters that are `const`: what a restart sets has no `const` in the way. One is a pointer, and one points to
   a function. */
#include <stdio.h>

#define N 40

static unsigned twice(unsigned value) { return value * 2u; }

static unsigned turn(const int n, unsigned const seed, unsigned *const field, unsigned (*const change)(unsigned))
{
    unsigned sum = 0u;
#pragma omp parallel num_threads(4) firstprivate(n, seed, field, change)
    for (int round = 0; round < 50; round++) {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            field[i] = change(field[i]) + seed % 97u;
            sum += field[i];
        }
    }
    return sum;
}

int main(void)
{
    static unsigned field[N];
    unsigned sum = turn(N, 12345u, field, twice);
    for (int i = 0; i < N; i++)
        sum = sum * 31u + field[i];
    printf("%u\n", sum);
    return 0;
}
