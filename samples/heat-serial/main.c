/* Heat flows along a rod: explicit Euler on a line of cells, both ends held at fixed temperatures.
 *
 *     heat-serial [CELLS [STEPS]]
 */
#include <stdio.h>
#include <stdlib.h>

static double *rod(long n)
{
    double *cells = calloc(n, sizeof *cells);
    if (cells == NULL) {
        fprintf(stderr, "no memory for %ld cells\n", n);
        exit(1);
    }
    cells[0] = 1.0;
    return cells;
}

int main(int argc, char **argv)
{
#pragma cccp init

    long n = argc > 1 ? atol(argv[1]) : 100000;
    long steps = argc > 2 ? atol(argv[2]) : 20000;
    long step;
    double *u = rod(n);
    double *next = rod(n);
    const double r = 0.25; /* constant: survives a restart without being registered */

#pragma cccp register(n, steps, step, u[n], next[n])

    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint every(1000)
        for (long i = 1; i < n - 1; i++)
            next[i] = u[i] + r * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        double *old = u;
        u = next;
        next = old;
    }

    double sum = 0.0;
    for (long i = 0; i < n; i++)
        sum += u[i];
    printf("steps %ld heat %.17g inside %.17g\n", steps, sum, u[n > 200 ? 100 : n / 2]);
#pragma cccp shutdown
    free(u);
    free(next);
    return 0;
}
