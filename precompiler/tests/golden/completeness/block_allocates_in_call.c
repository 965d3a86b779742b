/* A block allocates through a call, and the loop changes what is there: the block makes the memory again, not what it held (S8). */
#include <stdio.h>
#include <stdlib.h>

static double *counts, *table;

static void make(void)
{
    counts = malloc(10 * sizeof *counts);
    for (int i = 0; i < 10; i++)
        counts[i] = 0;
}

static void fill(void)
{
    table = malloc(10 * sizeof *table);
    for (int i = 0; i < 10; i++)
        table[i] = i * i;
}

int main(void)
{
    int step = 0;
#pragma cccp init
#pragma cccp execute on restart
    make();
    fill();
#pragma cccp end execute
#pragma cccp register(step)
    for (step = 0; step < 20; step++) {
        /* must: counts[…] missing */
        /* should: counts held */
        /* should: table held */
        /* should: table[…] held */
#pragma cccp checkpoint
        counts[step % 10] += table[step % 7];
        printf("%d %g\n", step, counts[3]);
    }
    return 0;
}
