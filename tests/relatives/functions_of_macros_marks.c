/* Functions that macros make call what has checkpoints: they are written out on their lines. */
#include <stdio.h>

static double values[100], total;
static int calls;

static void work(int steps)
{
    int step;
#pragma cccp register(values, total, calls)
    for (step = 0; step < steps; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        for (int i = 1; i < 100; i++)
            values[i] = 0.5 * (values[i] + values[i - 1]);
        total += values[99];
    }
}

#define CALLER(NAME, N)     \
    static void NAME(int n) \
    {                       \
        calls++;            \
        work(n + N);        \
    }

CALLER(ten, 10)
CALLER(more,
       3)

int main(void)
{
#pragma cccp init
    for (int i = 0; i < 100; i++)
        values[i] = i;
    ten(1);
    more(1);
    printf("%.17g %d\n", total, calls);
#pragma cccp shutdown
    return 0;
}
