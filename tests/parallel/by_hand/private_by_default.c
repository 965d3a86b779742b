/* variables that `default(firstprivate)` and `default(private)` make private: scalars, a structure, an array, a static one of a block */
#include <omp.h>
#include <stdio.h>

struct state {
    int seed;
    double drift;
};

static double grid[64];
static double sums[64];

static double walk(int steps, double scale)
{
    static int salt = 5;
    struct state state = { 7, 0.25 };
    double part[4] = { 1, 2, 3, 4 };
    int k, n = steps;
    double total = 0;
#pragma cccp register(steps, scale, state, part, n, total)
#pragma omp parallel default(firstprivate) shared(grid, total) private(k)
    {
        int me = omp_get_thread_num();
#pragma cccp register(me, k, scale, state, part, salt, n)
        for (k = 0; k < n; k++) {
#pragma cccp checkpoint
            state.seed = (state.seed * 1103 + 12345 + me) & 0xffffff;
            part[k % 4] += state.seed % 17 * scale;
            scale += state.drift;
            salt += me + 1;
            if (k == 3)
                n += 2;
#pragma omp for
            for (int i = 0; i < 64; i++)
                grid[i] = grid[i] * 0.5 + i * 0.25;
        }
#pragma omp critical
        total += state.seed % 1000 + part[1] + part[3] + salt + scale;
    }
    return total + state.seed + part[1] + scale + salt + n;
}

int main(void)
{
    int seed = 3, k;
    double scale = 0, total = 0;
#pragma cccp init
#pragma cccp register(grid, sums, seed, scale, total)
    for (int i = 0; i < 64; i++)
        grid[i] = i;
    total = walk(8, 1.5);
#pragma cccp register(total)
#pragma omp parallel default(private) shared(grid, sums)
    {
        int me = omp_get_thread_num();
        seed = me + 3;
        scale = 2;
#pragma cccp register(me, k, seed, scale)
        for (k = 0; k < 12; k++) {
#pragma cccp checkpoint
            seed = (seed * 1103 + 12345 + me) & 0xffffff;
            scale += 0.125 * (seed % 5);
#pragma omp for
            for (int i = 0; i < 64; i++)
                grid[i] = grid[i] * 0.5 + i * 0.25;
        }
        sums[me] = seed % 1000 + scale;
    }
    for (int i = 0; i < 64; i++)
        total += grid[i] + sums[i];
    printf("%.10g %d %g\n", total, seed, scale);
    return 0;
}
