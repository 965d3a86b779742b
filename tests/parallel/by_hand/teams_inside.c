/* Each thread of a region enters another one of two or three threads, which stop at unequal checkpoints and barriers. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define MOST 4
static long out[MOST][MOST];
static long shared[MOST];
static int turns[MOST];

/* Each inner thread does another number of steps between two barriers. */
static void solve(int me, int rounds)
{
    long sum = me;
    int mates = 2 + me % 2;
#pragma cccp register(me, rounds, sum, mates)
#pragma omp parallel num_threads(mates)
    {
        long own = 0;
        int who = omp_get_thread_num(), round = 0, step = 0;
#pragma cccp register(own, who, round, step)
        for (round = 0; round < rounds; round++) {
            for (step = 0; step <= (who + round) % 3; step++) {
#pragma cccp checkpoint
                own += (me + 1) * 100 + who * 10 + step;
            }
#pragma omp atomic
            sum += own % 7;
#pragma omp barrier
#pragma omp single
            {
                turns[me]++;
                shared[me] += sum;
            }
            own += shared[me] % 5;
#pragma omp barrier
        }
        out[me][who] += own;
    }
    shared[me] += sum;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4;
    omp_set_max_active_levels(2);
#pragma cccp init
#pragma cccp register(out, shared, turns, rounds)
#pragma omp parallel
    {
        int me = omp_get_thread_num(), k = 0;
#pragma cccp register(me, k)
        for (k = 0; k < 3; k++) {
            solve(me, rounds + me + k);
#pragma omp barrier
            if (me == 0)
                for (int i = 0; i < MOST; i++)
                    shared[i] = shared[i] * 3 % 1000;
#pragma omp barrier
        }
    }
    for (int i = 0; i < MOST; i++) {
        printf("%ld %d:", shared[i], turns[i]);
        for (int j = 0; j < MOST; j++)
            printf(" %ld", out[i][j]);
        printf("\n");
    }
#pragma cccp shutdown
    return 0;
}
