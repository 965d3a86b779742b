/* The time loop is a function in a header, which a header includes; what it calls is here. */
#include <stdio.h>
#include <string.h>
#include "sub/all.h"

static double u[64];

static void step(int now)
{
    for (int i = 1; i < 63; i++)
        u[i] += 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]) + now * 1e-3;
#pragma cccp checkpoint
}

int main(void)
{
#pragma cccp init
#pragma cccp register(u)
    u[0] = 1;
    repeat(40);
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += u[i] * (i + 1);
    printf("%.17g\n", sum);
#pragma cccp shutdown
    return 0;
}
