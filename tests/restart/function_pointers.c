/* A client function called through pointers, and pointers to functions among what is registered. */
#include <stdio.h>

static double state = 1.0;

static double grow(double x)
{
#pragma cccp checkpoint
    state = state * 1.5 + x;
    return state;
}

static double shrink(double x)
{
#pragma cccp checkpoint
    state = state / 1.25 - x;
    return state;
}


int main(void)
{
#pragma cccp init
    double (*now)(double) = grow;
    double sum = 0.0;
    int i;
#pragma cccp register(state, now, sum, i)

    for (i = 0; i < 8; i++) {
        sum += now(0.5 * i);
        now = i % 3 == 1 ? shrink : grow;
    }
    printf("%.17g %.17g %d\n", state, sum, now == grow);
#pragma cccp shutdown
    return 0;
}
