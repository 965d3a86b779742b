/* A rod of cells. */
struct grid {
    long n;
    double *now;
    double *next;
};
struct grid *grid_new(long n);
void grid_free(struct grid *grid);
double grid_sum(const struct grid *grid);
void solve(struct grid *grid, long steps);
