// hand resumes 3 11
// assumes of what `atexit` sets in its library only the latest call is needed after a restart
/* A function for the end of the program in a block of the time loop: one more each time, and a restart makes the latest call. */
#include <stdio.h>
#include <stdlib.h>

static long sum;

static void report(void)
{
}

int main(void)
{
#pragma cccp init
    long step;
#pragma cccp register(sum, step)
    for (step = 0; step < 15; step++) {
#pragma cccp checkpoint
        sum = 3 * sum + step;
#pragma cccp execute on restart
        atexit(report);
#pragma cccp end execute
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
