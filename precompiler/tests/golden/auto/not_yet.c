/* A pointer to a block from before `init`, which may lead later to one that nothing has allocated yet. */
#include <stdio.h>
#include <stdlib.h>

static int *current;

static void turn(int step)
{
#pragma cccp checkpoint
    current[step & 3] += step;
}

int main(void)
{
    current = malloc(4 * sizeof *current);
    for (int k = 0; k < 4; k++)
        current[k] = k;
#pragma cccp init
    for (int i = 0; i < 5; i++) /* before: register(current[4]) */
        turn(i);
    int sum = current[1];
    current = calloc(4, sizeof *current);
    current[1] = sum;
    printf("%d %d\n", current[1], current[2]);
#pragma cccp shutdown
    return 0;
}
