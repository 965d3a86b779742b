/* The same with a register before the call in some runs: the others have it only behind it.
   told: a pointer points to `limits`, which is registered only later */
#include <stdio.h>

static int reached;

static void set_up(const int *given)
{
    #pragma cccp execute on restart
    reached = given[0] + given[1];
    #pragma cccp end execute
}

static void walk(const int *limits)
{
    set_up(limits);
}

int main(int argc, char **argv)
{
    int limits[2], step, sum = 0;
    limits[0] = argc;
    limits[1] = 3;
    #pragma cccp init
    if (argc > 1) {
        #pragma cccp register(limits)
    }
    const int *part = limits + (argc - 1);
    walk(part);
    #pragma cccp register(limits, sum, step)
    for (step = 0; step < 8; step++) {
        #pragma cccp checkpoint
        sum += reached * step + limits[1];
    }
    printf("%d\n", sum);
    #pragma cccp shutdown
    return 0;
}
