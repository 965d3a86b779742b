/* What is the same in all runs but those that are killed, and different in each of these: as what was on the stack before, which
 * depends on the environment. Nobody reads it. In one struct with it lies what no two runs have in common, too. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct numbers {
    long unset, process;
};

int main(void)
{
    long unset = getenv("CCCP_KILL_AT") ? (long)getpid() : 0;
    struct numbers numbers = {getenv("CCCP_KILL_AT") ? 1 : 0, (long)getpid()};
    double sum = 0;
    int step;
#pragma cccp init
#pragma cccp register(step, sum, unset, numbers)
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        sum += 1.0 / (step + 1);
    }
#pragma cccp shutdown
    printf("%.17g\n", sum);
    return 0;
}
