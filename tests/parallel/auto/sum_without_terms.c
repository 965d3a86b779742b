/* A region with a sum to which it adds nothing, and a checkpoint in a function that it calls. */
#include <omp.h>
#include <stdio.h>

static unsigned each[8];

static unsigned inner(unsigned y)
{
    unsigned sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    for (int k = 0; k < 3; k++) {
#pragma cccp checkpoint
        sum += y ^ (unsigned)k;
#pragma omp barrier
    }
    return sum > 0u;
}

int main(void)
{
    static unsigned nothing = 83u;
    unsigned x = 1u;
#pragma cccp init
#pragma omp parallel reduction(+ : nothing) firstprivate(x)
    {
        int me = omp_get_thread_num();
        x += (unsigned)me;
        for (int step = 0; step < 20; step++) {
#pragma omp barrier
            x = x * 5u + 3u;
            x += inner(x);
        }
#pragma omp barrier
        each[me] = x;
    }
    printf("%u", nothing);
    for (int i = 0; i < 8; i++)
        printf(" %u", each[i]);
    printf("\n");
    return 0;
}
