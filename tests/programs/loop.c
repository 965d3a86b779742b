/* A small loop to take wrong turns with. EXTRA is the type of a member and MORE another checkpoint, so that a test can
 * build almost the same program. */
#include <stdio.h>
#include <stdlib.h>

#ifndef EXTRA
#define EXTRA int
#endif

struct state {
    double value;
    EXTRA extra;
};

int main(int argc, char **argv)
{
#pragma cccp init
    struct state state = {1.0, 1};
    long n = argc > 1 ? atol(argv[1]) : 1000;
    double *u = calloc(n, sizeof *u);
    int step;

    if (u == NULL)
        return 1;
#pragma cccp register(state, n, step, u[n])
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        for (long i = 0; i < n; i++)
            u[i] += state.value / (double)(i + 1);
        state.value = state.value * 1.25 + u[n / 2];
        state.extra++;
#ifdef MORE
#pragma cccp checkpoint if(step > 20)
#endif
    }
    printf("%.17g %d %.17g\n", state.value, (int)state.extra, u[n - 1]);
#pragma cccp shutdown
    free(u);
    return 0;
}
