/* Regions of three levels in one text: threads stop at unequal checkpoints and barriers of each level, and share what is theirs. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define MOST 4
static long out[MOST][MOST], deep[MOST][MOST][2];
static long totals[MOST];
static int turns[MOST];

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 6;
    long all = 1;
    omp_set_max_active_levels(3);
#pragma cccp init
#pragma cccp register(out, deep, totals, turns, rounds, all)
#pragma omp parallel
    {
        int me = omp_get_thread_num(), k = 0, mates = 2 + me % 2;
        long sum = me, *table = malloc(MOST * sizeof *table);
        for (int i = 0; i < MOST; i++)
            table[i] = i * me;
#pragma cccp register(me, k, mates, sum, table[MOST])
        for (k = 0; k < 3; k++) {
#pragma cccp checkpoint
#pragma omp parallel num_threads(mates) reduction(+ : sum)
            {
                long own = k, both = 0;
                int who = omp_get_thread_num(), round = 0, step = 0;
#pragma cccp register(own, both, who, round, step, sum)
                for (round = 0; round < rounds; round++) {
                    for (step = 0; step <= (who + round) % 3; step++) {
#pragma cccp checkpoint
                        own += (me + 1) * 100 + who * 10 + step;
                    }
                    sum += own % 7;
#pragma omp barrier
#pragma omp single
                    turns[me]++;
                    long base = own % 5;
#pragma omp parallel num_threads(2) if (round % 2 == 0) firstprivate(own)
                    {
                        int which = omp_get_thread_num(), n = 0;
                        long mine = own + which;
#pragma cccp register(which, n, mine, own, base)
                        for (n = 0; n < 2 + which; n++) {
                            mine = mine * 3 + n;
#pragma cccp checkpoint
                            own += n;
                        }
#pragma omp barrier
#pragma omp atomic
                        both += mine % 13 + own % 5 + base;
#pragma omp atomic
                        deep[me][who][which] += mine % 1000;
                    }
                    own += both + table[who] + base % 3;
#pragma omp barrier
                    if (who == 0)
                        table[round % MOST] += own % 11 + both % 3;
#pragma omp barrier
                }
                out[me][who] += own;
            }
            totals[me] += sum + table[k];
#pragma omp barrier
#pragma omp atomic
            all += sum % 17;
#pragma omp barrier
        }
        totals[me] += all;
        free(table);
    }
    for (int i = 0; i < MOST; i++) {
        printf("%ld %d:", totals[i], turns[i]);
        for (int j = 0; j < MOST; j++)
            printf(" %ld %ld %ld", out[i][j], deep[i][j][0], deep[i][j][1]);
        printf("\n");
    }
    printf("%ld\n", all);
#pragma cccp shutdown
    return 0;
}
