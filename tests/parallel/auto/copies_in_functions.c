/* A function that threads call in a region has the long loop, and each thread has its own bounds and random numbers: variables of the
   file, which the function sets and reads, and one that it does not see. */
#include <omp.h>
#include <stdio.h>

#define N 40

static int low, high, me;
#pragma omp threadprivate(low, high, me)
static unsigned drawn = 1u;
#pragma omp threadprivate(drawn)
static unsigned field[N], last[16];

static void fill(unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++) {
        for (int i = low; i < high; i++) {
            drawn = drawn * 1103515245u + 12345u + (unsigned)me;
            field[i] = field[i] * 3u + drawn % 97u;
        }
    }
    last[me] = drawn;
}

static void make(int n, unsigned rounds)
{
    int threads = omp_get_num_threads();
    me = omp_get_thread_num();
    int share = (n + threads - 1) / threads;
    low = share * me;
    high = low + share < n ? low + share : n;
    fill(rounds);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
        field[i] += last[0];
}

int main(void)
{
    unsigned sum = 0u, rounds = 50u;
#pragma omp parallel num_threads(4)
    make(N, rounds);
    for (int i = 0; i < N; i++)
        sum = sum * 31u + field[i];
    printf("%u %u %u\n", sum, last[1], last[3]);
    return 0;
}
