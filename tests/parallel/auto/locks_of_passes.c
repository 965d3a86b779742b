/* Locks in loops that come to their end by themselves, inside of the loop with the checkpoint: those that count, and those with loops
 * inside. */
#include <omp.h>
#include <stdio.h>

enum { TRACKS = 200, CELLS = 16, GROUPS = 8 };

static omp_lock_t locks[CELLS];
static long tally[CELLS];
static long flux[TRACKS][GROUPS];

static void add(int cell, long *own, int segment)
{
    long sum = 0;
    for (int g = 0; g < GROUPS; g++)
        sum += own[g] = own[g] * 3 % 1009 + segment;
    omp_set_lock(&locks[cell]);
    tally[cell] += sum;
    omp_unset_lock(&locks[cell]);
}

int main(void)
{
    long total = 0;
    for (int c = 0; c < CELLS; c++)
        omp_init_lock(&locks[c]);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int track = 0; track < TRACKS; track++) {
            for (int j = 0; j < 4; j++) {
                int complete = 0, segment = 0;
                while (!complete) {
                    add((track * 7 + segment) % CELLS, flux[track], segment);
                    complete = ++segment + flux[track][0] % 3 > 6;
                }
            }
        }
    }
    for (int c = 0; c < CELLS; c++)
        total = total * 31 % 1000003 + tally[c];
    printf("%ld\n", total);
    return 0;
}
