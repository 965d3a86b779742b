/* A shared loop with copies that begin with what was there before it: arrays, one of a length of the run, and a struct of the block. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct state { double at; int many; } state = {0.5, argc};
    int n = argc > 1 ? atoi(argv[1]) : 3000;
    double weights[2][2] = {{1, 2}, {3, 4}}, lengths[n > 4 ? 4 : n], *u = calloc(n, sizeof *u);
    if (!u)
        return 1;
    for (int i = 0; i < 4; i++)
        lengths[i] = i;
#pragma omp parallel
    {
#pragma omp for firstprivate(state, weights, lengths) schedule(static)
        for (int i = 0; i < n; i++) {
            weights[i & 1][1] += 1;
            lengths[i & 3] *= 0.5;
            state.at += lengths[3];
            state.many = (state.many * 7 + i) % 11;
            for (int k = 0; k < 200; k++)
                u[i] += weights[k & 1][k >> 1 & 1] * lengths[k & 3] + state.at * 0.5 + state.many;
        }
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i];
    printf("%.17g %g %g %g\n", sum, state.at, weights[1][1], lengths[3]);
    free(u);
    return 0;
}
