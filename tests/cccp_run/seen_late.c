/* Like a clock with coarse ticks: what undisturbed runs, and those that are killed early, have in common by chance, and a restart does
 * not. Runs that are killed later show that no run repeats it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long tick(void)
{
    const char *point = getenv("CCCP_KILL_AT");
    if (point)
        return atoi(strrchr(point, ':') + 1) > 10 ? (long)getpid() : 0;
    return access(getenv("CCCP_DIR"), F_OK) == 0;
}

int main(void)
{
    long begun = tick(), time = 0;
    double sum = 0;
    int step;
#pragma cccp init
#pragma cccp register(step, sum, time)
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        sum += 1.0 / (step + 1);
        time = begun;
    }
#pragma cccp shutdown
    printf("%.17g\n", sum);
    return 0;
}
