/* Every decision once. `expect NAME VERDICT BECAUSE`: what the report says at the checkpoint with that comment. */
#include <stdio.h>
#include <stdlib.h>

struct state {
    double kept, scratch;
};

static const double gravity = 9.81;
static double table[4] = {1, 2, 3, 4};
static long counter;
static int threshold;
static double unused;
static long wasted;
static FILE *journal;

static double step(const double *u, long n, double weight)
{
    double sum = 0.0;
    for (long i = 0; i < n; i++)
        sum += u[i] * weight;
    return sum;
}

static void solve(double *u, long n, int rounds)
{
    double last = 0.0, spare;
    int round;
#pragma cccp register(last, round)
    for (round = 0; round < rounds; round++) {
#pragma cccp checkpoint name(inner)
        /* expect counter missing read
         * expect main:lost missing read
         * expect u not_saved parameter
         * expect rounds not_saved parameter
         * expect last saved read
         * expect round saved read
         * expect spare not_saved overwritten
         * expect table not_saved unchanged
         * expect threshold not_saved before_init
         * expect journal not_saved re_executed
         * expect unused not_saved never_read
         * expect main:u[n] saved read
         * expect wasted removable never_read
         * expect main:idle[n] saved read
         * expect main:fixed not_saved constant
         * expect main:argc not_saved never_read
         * expect main:after not_saved overwritten */
        spare = step(u, n, table[round % 4]) + gravity;
        last += spare;
        u[round % n] = last;
        if (++counter > threshold)
            fprintf(journal, "%g\n", last);
    }
    u[0] = last;
}

int main(int argc, char **argv)
{
    wasted = argc;
    threshold = argc > 1 ? atoi(argv[1]) : 3;
    (void)argv;
#pragma cccp init
    const int fixed = 7;
    long n = 10, lost = 5;
    double *u = calloc((size_t)n, sizeof *u), *idle = calloc((size_t)n, sizeof *idle);
    double after;
    struct state state = {1, 2};
    if (u == NULL || idle == NULL)
        return 1;
    for (long i = 0; i < n; i++)
        u[i] = lost = (long)rand() % 10;
#pragma cccp execute on restart
    journal = fopen("/dev/null", "w");
#pragma cccp end execute
    if (journal == NULL)
        return 1;
#pragma cccp register(n, u[n], idle[n], state.kept, wasted)
    solve(u, n, 20);
    after = u[0] + (double)lost + state.kept + fixed;
    printf("%g %ld\n", after, n);
#pragma cccp shutdown
    free(u);
    free(idle);
    return 0;
}
