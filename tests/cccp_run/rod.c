/* A rod that warms up. FAIL_AT in the environment is a step at which a run fails by itself. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
#pragma cccp init
    long steps = argc > 1 ? atol(argv[1]) : 12, step, fail_at = -1;
    double u[64];
    if (getenv("FAIL_AT") != NULL)
        fail_at = atol(getenv("FAIL_AT"));
    for (int i = 0; i < 64; i++)
        u[i] = i % 7;
#pragma cccp register(steps, step, fail_at, u)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        if (step == fail_at)
            abort();
        for (int i = 1; i < 63; i++)
            u[i] += 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    }
    for (int i = 0; i < 64; i += 9)
        printf("%.17g\n", u[i]);
#pragma cccp shutdown
    return 0;
}
