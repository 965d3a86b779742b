/* Checkpoints in a function called by all threads; threadprivate, firstprivate, a reduction, blocks of the heap; clauses that
 * a restart replaces. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static double *grid, *next;
static int n = 2000;
static unsigned rng;
#pragma omp threadprivate(rng)

static double noise(void)
{
    rng = rng * 1664525u + 1013904223u;
    return (rng >> 8) * 1e-9;
}

static void sweep(int step, double *mine)
{
    double local = 0;
#pragma omp for schedule(static) nowait
    for (int i = 1; i < n - 1; i++) {
        next[i] = 0.5 * grid[i] + 0.25 * (grid[i - 1] + grid[i + 1]);
        local += next[i] - grid[i];
    }
    for (int half = 0; half < 2; half++) {
#pragma cccp register(local, half)
#pragma cccp checkpoint name(inner)
        local *= 1.0 + 1e-3 * half * step;
    }
    *mine += local;
#pragma omp barrier
#pragma omp single
    {
        double *t = grid;
        grid = next;
        next = t;
    }
}

int main(int argc, char **argv)
{
#pragma cccp init
    int steps = argc > 1 ? atoi(argv[1]) : 30;
    int threads = argc > 2 ? atoi(argv[2]) : 3;
    grid = malloc(n * sizeof *grid);
    next = malloc(n * sizeof *next);
    for (int i = 0; i < n; i++)
        grid[i] = next[i] = (i * 37 % 101) * 0.01;
    int offset = 5;
    double total = 0, own[16] = {0};
#pragma cccp register(steps, grid[n], next[n], offset, own, threads, total)
#pragma omp parallel firstprivate(offset) reduction(max : total) default(none) shared(steps, grid, next, n, own) \
    num_threads(threads + 0)
    {
        int me = omp_get_thread_num();
        double mine = me + offset;
        double history[4] = {0};
        double *work = malloc(16 * sizeof *work);
        for (int i = 0; i < 16; i++)
            work[i] = i + me;
        rng = 77 + me;
#pragma cccp register(me, mine, history, work[16], offset, total, rng)
        for (int step = 0; step < steps; step++) {
#pragma cccp register(step)
            sweep(step, &mine);
            history[step % 4] += mine * noise();
            work[step % 16] += mine;
            offset += me;
            total = total > mine ? total : mine;
        }
        for (int i = 0; i < 4; i++)
            own[me] += history[i];
        for (int i = 0; i < 16; i++)
            own[me] += work[i] * i + offset;
        free(work);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += grid[i] * (i % 13);
    for (int i = 0; i < 16; i++)
        sum += own[i] * (i + 1);
    printf("%.17g %.17g %d\n", total, sum, offset);
#pragma cccp shutdown
    return 0;
}
