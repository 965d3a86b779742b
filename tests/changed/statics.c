/* Static locals that are registered without code, in a program that is changed in the middle of a run. Each macro is one
 * change. */
#include <stdio.h>

#ifndef CALLS
#define CALLS int
#endif
#ifndef LENGTH
#define LENGTH 3
#endif

static long next(long by)
{
    static CALLS calls = 1;
#ifndef EXECUTED
#pragma cccp register(calls)
#endif
#ifndef REMOVED
    static long list[LENGTH] = {5, 6, 7};
#pragma cccp register(list)
#else
    static long list[LENGTH] = {5, 6, 7};
#endif
#ifdef ADDED
    static int more = 30;
#pragma cccp register(more)
    more++;
    printf("more %d\n", more);
#endif
#ifdef EXECUTED
    by += 0;
#pragma cccp register(calls)
#endif
    calls++;
    list[calls % 3] += by;
    return (long)calls + list[0];
}

#ifdef OTHER
static long other(long by)
{
    static long sum = 1000;
#pragma cccp register(sum)
    return sum += by;
}
#endif

int main(void)
{
    long total = next(1), step;
#pragma cccp init
#pragma cccp register(total, step)
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        total += next(step);
    }
    printf("total %ld last %ld\n", total, next(0));
#ifdef OTHER
    printf("other %ld\n", other(1));
#endif
#pragma cccp shutdown
    return 0;
}
