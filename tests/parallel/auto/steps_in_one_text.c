/* The time loop is in a region that stands in the text of another one. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define MOST 4
static long out[MOST][MOST];
static long shared[MOST];
static int turns[MOST];
int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 8;
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int steps = rounds * 4 + me;
        long sum = me;
        int mates = 2 + me % 2;
#pragma omp parallel num_threads(mates)
        {
            long own = 0;
            int who = omp_get_thread_num(), round = 0, step = 0;
            for (round = 0; round < steps; round++) {
                for (step = 0; step <= (who + round) % 3; step++) {
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
    for (int i = 0; i < MOST; i++) {
        printf("%ld %d:", shared[i], turns[i]);
        for (int j = 0; j < MOST; j++)
            printf(" %ld", out[i][j]);
        printf("\n");
    }
    return 0;
}
