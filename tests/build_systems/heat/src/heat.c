/* heat [CELLS [STEPS]]: without a mark. */
#include <stdio.h>
#include <stdlib.h>
#include "grid.h"
int main(int argc, char **argv)
{
    struct grid *grid = grid_new(argc > 1 ? atol(argv[1]) : 2000);
    solve(grid, argc > 2 ? atol(argv[2]) : 4000);
    printf("%s: %.17g\n", __FILE__, grid_sum(grid));
    grid_free(grid);
    return 0;
}
