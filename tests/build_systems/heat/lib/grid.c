/* A rod of cells in memory. */
#include "../include/grid.h"
#include <stdlib.h>
struct grid *grid_new(long n)
{
    struct grid *grid = malloc(sizeof *grid);
    grid->n = n;
    grid->now = calloc(n, sizeof(double));
    grid->next = calloc(n, sizeof(double));
    grid->now[0] = grid->next[0] = 1.0;
    return grid;
}
void grid_free(struct grid *grid)
{
    free(grid->now);
    free(grid->next);
    free(grid);
}
double grid_sum(const struct grid *grid)
{
    double sum = 0.0;
    for (long i = 0; i < grid->n; i++)
        sum += grid->now[i];
    return sum;
}
