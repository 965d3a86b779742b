/* An array that is nothing but the value of a pointer changes through it: it is no constant, and each call has its own. */
#include <stdio.h>

static int deeper(int depth)
{
    int values[4] = {3, 1, 2, 3};
    int *there = values;
    int sum = 0;

    there[depth & 3] += depth;
    if (depth > 0)
        sum = deeper(depth - 1);
    for (int i = 0; i < 50; i++) {
#pragma cccp checkpoint
        there[i & 3] += 1;
    }
    for (int i = 0; i < 4; i++)
        sum = 3 * sum + there[i];
    return sum;
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += deeper(2);
    printf("%d\n", sum);
    return 0;
}
