/* The run ends in a function of its own, long after the last checkpoint. */
#include <stdio.h>

static void finish(long sum)
{
    printf("%ld\n", sum);
#pragma cccp shutdown
}

int main(void)
{
#pragma cccp init
    long step, sum = 1;
#pragma cccp register(step, sum)
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint every(7)
        sum = sum * 3 + step;
    }
    finish(sum);
    return 0;
}
