/* A pointer keeps its block while others are turned to a variable: it has to have an item of its own wherever control may
   be in a call with a checkpoint, not only at a later one. */
#include <stdio.h>
#include <stdlib.h>

static int table[4] = { 1, 2, 3, 4 };
static int *current = table;

static void turn(int step)
{
    current[step & 3] += step;
    current = table;
#pragma cccp checkpoint
    table[step & 3] += current[1];
}

static int look(int step)
{
    int *mine = current;
    if (step > 2) /* before: register(mine[]) */
        turn(step);
#pragma cccp checkpoint
    current[0] += mine[step & 3];
    return mine[2];
}

int main(void)
{
    current = malloc(4 * sizeof *current);
    for (int k = 0; k < 4; k++)
        current[k] = k;
#pragma cccp init
    printf("%d\n", look(2) + look(3));
#pragma cccp shutdown
    return 0;
}
