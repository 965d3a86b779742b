/* Checkpoints in branches, to which control comes by several ways: what does not reach all of them before one is registered
   where its name begins. */
#include <stdio.h>
#include <stdlib.h>

static int table[4] = { 1, 2, 3, 4 };

static int work(int depth, int *given)
{
    int own[4] = { depth, 1, 2, 3 };
    int other = depth * 3;
    if (depth > 2) {
        given = malloc(4 * sizeof *given);
        for (int k = 0; k < 4; k++)
            given[k] = own[k] + depth;
    }
again: /* before: register(own, given[]) */
    switch (other & 3) {
    case 0:
        if (own[1] > 4)
            goto over;
        own[1] += given[2];
#pragma cccp checkpoint
        other += 5;
        goto again;
    case 1:
        own[2] += depth > 0 ? work(depth - 1, given) : 1;
        other += 2;
    case 2:
#pragma cccp checkpoint
        own[3] += other;
    }
over:
    table[depth & 3] += given[depth & 3];
    return own[0] + own[1] + own[2] + own[3] + other;
}

int main(void)
{
#pragma cccp init
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += work(i, table);
    printf("%d %d\n", sum, table[2]);
#pragma cccp shutdown
    return 0;
}
