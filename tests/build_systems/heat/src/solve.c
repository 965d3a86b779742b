/* Heat flows along the rod: explicit Euler, both ends held. */
#include "grid.h"
void solve(struct grid *grid, long steps)
{
    for (long step = 0; step < steps; step++) {
        for (long i = 1; i < grid->n - 1; i++)
            grid->next[i] = grid->now[i] + 0.25 * (grid->now[i - 1] - 2.0 * grid->now[i] + grid->now[i + 1]);
        double *old = grid->now;
        grid->now = grid->next;
        grid->next = old;
    }
}
