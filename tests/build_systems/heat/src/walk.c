/* walk [STEPS]: a random walk over the rod, marked by hand. */
#include <stdio.h>
#include <stdlib.h>
#include "grid.h"

int main(int argc, char **argv)
{
#pragma cccp init
    long steps = argc > 1 ? atol(argv[1]) : 20;
    long step, at = 0;
    unsigned long state = 1;
    struct grid *grid = grid_new(50);
#pragma cccp register(steps, step, at, state, follow(grid))
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint every(1)
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        at = (at + (state >> 60)) % grid->n;
        grid->now[at] += 1.0 / (double)(step + 1);
    }
    printf("%ld %.17g\n", at, grid_sum(grid));
#pragma cccp shutdown
    grid_free(grid);
    return 0;
}
