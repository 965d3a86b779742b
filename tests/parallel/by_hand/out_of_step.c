/* Threads of different speeds, which wait for each other nowhere, or pass the checkpoint unequally often. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

int main(int argc, char **argv)
{
#pragma cccp init
    long passes = argc > 1 ? atol(argv[1]) : 20000;
    int uneven = argc > 2 ? atoi(argv[2]) : 0;
    double sums[4] = {0};
#pragma cccp register(sums)
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        long k, mine = passes - uneven * me;
        unsigned x = me + 1;
        double sum = 0;
#pragma cccp register(me, k, x, sum, mine)
        for (k = 0; k < mine; k++) {
#pragma cccp checkpoint
            for (int w = 0; w < 20 * (1 + (me + k / 100) % 4); w++)
                x = x * 1664525u + 1013904223u;
            sum += x * 1e-9;
        }
        sums[me] = sum;
    }
    for (int i = 0; i < 4; i++)
        printf("%.17g\n", sums[i]);
#pragma cccp shutdown
    return 0;
}
