/* A way to the checkpoint that is changed in the middle of a run. Each macro is one change. */
#include <stdio.h>
#include <stdlib.h>

static double *u;
static long setups;

#ifdef PARAMETER
static void setup(long n, int twice)
#else
static void setup(long n)
#endif
{
    u = calloc(n, sizeof *u);
    setups++;
#ifdef PARAMETER
    setups += twice;
#endif
#pragma cccp register(u[n], setups)
}

#ifdef OTHER_CALL
static void prepare(void)
{
    static long prepared;
#pragma cccp register(prepared)
    prepared++;
}
#endif

static void late(long *ends)
{
#pragma cccp register(u[2])
    ++*ends;
}

#if defined INNER || !defined NO_INNER
static void step_once(long n, long step)
{
    long local = step;
#ifdef INNER
#pragma cccp execute on restart
    local++;
#pragma cccp end execute
#endif
#pragma cccp register(local)
#pragma cccp checkpoint name(inner)
    for (long i = 0; i < n; i++)
        u[i] += local;
}
#endif

int main(void)
{
#pragma cccp init
    long n = 4, step, ends = 0, opened = 0, loops = 1;
#ifdef OTHER_CALL
    prepare();
#endif
#ifdef PARAMETER
    setup(n, 0);
#else
    setup(n);
#endif
#ifndef NO_BLOCK
#pragma cccp execute on restart
    opened += n;
#pragma cccp end execute
#endif
#ifdef MORE_BLOCKS
#pragma cccp execute on restart
    opened += 100;
#pragma cccp end execute
#endif
#ifdef NEW_STATEMENT
    long fresh = 0;
#pragma cccp register(fresh)
#endif
#ifdef SWAPPED_STATEMENTS
#pragma cccp register(ends)
#pragma cccp register(n, step)
#else
#pragma cccp register(n, step)
#ifndef NO_STATEMENT
#pragma cccp register(ends)
#endif
#endif
#ifdef LOOP
    for (loops = 0; loops < 2; loops++)
#endif
    for (step = 0; step < 10; step++) {
#ifdef NO_INNER
#pragma cccp checkpoint
        u[0] += step;
#else
        step_once(n, step);
#endif
    }
#ifdef LATE
    late(&ends);
    late(&ends);
#else
    late(&ends);
#endif
#ifdef LATE_CHECKPOINT
#pragma cccp checkpoint name(outer)
#endif
    printf("u");
    for (long i = 0; i < n; i++)
        printf(" %.0f", u[i]);
    printf("\nsetups %ld ends %ld opened %ld loops %ld\n", setups, ends, opened, loops);
#pragma cccp shutdown
    return 0;
}
