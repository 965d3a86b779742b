/* Functions that are called through pointers of another type: a cast, a table without parameters, an integer for a pointer, a union. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int count;
    double *values;
};

struct settings {
    int (*solve)(void *, void *);
    void *data;
};

typedef int (*solver)(struct settings *, struct settings *);

static double relax(struct grid *grid, int passes)
{
    double last = 0;
    for (int pass = 0; pass < passes; pass++)
        for (int i = 1; i + 1 < grid->count; i++) {
            last = 0.25 * (grid->values[i - 1] + grid->values[i + 1]) + 0.5 * grid->values[i];
            grid->values[i] = last;
        }
    return last;
}

static int by_cast(struct grid *grid, int *calls)
{
    grid->values[2] += relax(grid, 6);
    return ++*calls;
}

static int without_parameters(struct grid *grid)
{
    grid->values[3] += relax(grid, 6);
    return grid->count;
}

static void *by_number(long address)
{
    struct grid *grid = (struct grid *)address;
    grid->values[4] += relax(grid, 6);
    return grid;
}

static void in_union(struct grid *grid, unsigned passes)
{
    grid->values[5] += relax(grid, (int)passes);
}

static int sum_of(struct grid *grid)
{
    double sum = 0;
    for (int i = 0; i < grid->count; i++)
        sum += grid->values[i] * (i + 1);
    return (int)(1e6 * sum);
}

static void choose(struct settings *settings, solver solver)
{
    settings->solve = (int (*)(void *, void *))solver;
}

int main(void)
{
    struct grid *grid = malloc(sizeof *grid);
    struct settings settings;
    int (*table[2])() = {without_parameters, sum_of};
    union {
        void (*known)(struct grid *, unsigned);
        void (*called)(void *, int);
    } either = {in_union};
    void *(*number)(void *) = (void *(*)(void *))by_number;
    int calls = 0, found;
    grid->count = 40;
    grid->values = malloc(40 * sizeof *grid->values);
    for (int i = 0; i < 40; i++)
        grid->values[i] = 1.0 / (i + 1);
    choose(&settings, (solver)by_cast);
    settings.data = grid;
    found = settings.solve(settings.data, &calls);
    found += table[0](grid);
    found += ((struct grid *)number(grid))->count;
    either.called(grid, 6);
    printf("%d %d %d\n", found, calls, table[1](grid));
    return 0;
}
