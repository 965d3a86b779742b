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

#ifdef NEW_CALL
static long prepared;
static void prepare(void)
{
#pragma cccp register(prepared)
    prepared++;
}
#endif

static long lately;
static void late(void)
{
#pragma cccp register(lately)
    lately++;
}

#ifndef NO_INNER
static void step_once(long n, long step)
{
    long local = step;
#pragma cccp register(local)
#pragma cccp checkpoint name(inner)
    for (long i = 0; i < n; i++)
        u[i] += local;
}
#endif

int main(void)
{
    long n = 4;
#pragma cccp init
    long step, ends = 0, opened = 0;
#ifdef NEW_CALL
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
#ifdef NEW_BLOCK
#pragma cccp execute on restart
    opened += 100;
#pragma cccp end execute
#endif
#ifdef NEW_STATEMENT
    long fresh = 0;
#pragma cccp register(fresh)
#endif
#ifdef SWAPPED
#pragma cccp register(ends)
#pragma cccp register(n, step)
#else
#pragma cccp register(n, step)
#ifndef NO_STATEMENT
#pragma cccp register(ends)
#endif
#endif
#ifdef LOOP
    for (int round = 0; round < 1; round++)
#endif
        for (step = 0; step < 10; step++) {
#ifdef NO_INNER
#pragma cccp checkpoint
            u[0] += step;
#else
            step_once(n, step);
#endif
            ends += 2;
#ifdef BLOCK_IN_LOOP
#pragma cccp execute on restart
            opened += 1000;
#pragma cccp end execute
#endif
        }
    late();
#ifdef LATER
#pragma cccp register(opened)
#endif
#ifdef OUTER
#pragma cccp checkpoint name(outer) if(ends < 0)
#endif
    printf("u");
    for (long i = 0; i < n; i++)
        printf(" %.0f", u[i]);
    printf("\nsetups %ld ends %ld opened %ld\n", setups, ends, opened);
#pragma cccp shutdown
    return 0;
}
