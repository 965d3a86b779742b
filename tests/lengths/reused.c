/* A block is freed although its pointer is registered, and shorter ones lie in its memory when the next checkpoint is due. */
#include <stdio.h>
#include <stdlib.h>

static long *table, length = 12500;

int main(int argc, char **argv)
{
    int turn;
    long sum = 0;

#pragma cccp init
    table = malloc(length * sizeof *table);
    for (int i = 0; i < length; i++)
        table[i] = i;
#pragma cccp register(sum, length, table[length])
#pragma cccp checkpoint
    for (int i = 0; i < length; i++)
        sum += table[i];
    (void)argv;
    if (argc > 1) { /* cured */
#pragma cccp unregister(table)
    }
    free(table);
    for (turn = 0; turn < 4; turn++) {
        long *one = malloc(5000 * sizeof *one), *two = malloc(5000 * sizeof *two);

        for (int i = 0; i < 5000; i++) {
            one[i] = i * turn;
            two[i] = turn;
        }
#pragma cccp register(turn, one[5000], two[5000])
#pragma cccp checkpoint
        for (int i = 0; i < 5000; i++)
            sum += one[i] * two[i];
        free(two);
        free(one);
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
