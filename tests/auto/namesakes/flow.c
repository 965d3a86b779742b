#include <stdlib.h>
#include "flow.h"

static double *scratch;
static int n;

void flow_begin(int cells)
{
    n = cells;
    scratch = malloc(n * sizeof *scratch);
    for (int i = 0; i < n; i++)
        scratch[i] = 0;
}

void flow_step(double *u, int step)
{
    for (int i = 1; i < n; i++)
        scratch[i] += u[i] - u[i - 1];
    u[step % n] += scratch[(step + 5) % n] * 0.5;
}
