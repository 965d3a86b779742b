/* It prints when its steps are done, in each run something else, and what it computes. */
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(void)
{
    double sum = 1, rate = 0.5;
    int step;
#pragma cccp init
#ifdef FORGET
#pragma cccp register(sum)
#else
#pragma cccp register(sum, rate)
#endif
    for (step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint every(1)
        sum = rate * sum + step;
        rate *= 0.99;
        printf("step %d: sum %.17g at %.9f s\n", step, sum, now());
    }
    printf("sum %.17g\n", sum);
#pragma cccp shutdown
    return 0;
}
