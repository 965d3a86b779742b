#include <stdlib.h>
#include "flow.h"

static double *scratch;
static int n;

void heat_begin(int cells)
{
    n = cells;
    scratch = calloc(n, sizeof *scratch);
}

void heat_step(double *u, int step)
{
    for (int i = 0; i < n; i++)
        scratch[i] = 0.75 * scratch[i] + u[i];
    u[(step + 1) % n] -= scratch[step % n] * 0.125;
}
