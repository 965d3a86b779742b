/* Two loops over time, of which nobody knows before the run how much each does: the second one takes all the time. */
#ifdef LISTED
#include <dirent.h>
#endif
#include <stdio.h>
#include <stdlib.h>

struct gas { int count; double *x, *v, *f; double time; };

static double energy(const struct gas *g)
{
    double sum = 0;
    for (int i = 0; i < g->count; i++)
        for (int j = 0; j < g->count; j++)
            sum += 1 / (1 + (g->x[i] - g->x[j]) * (g->x[i] - g->x[j]));
    return sum;
}

static void relax(struct gas *g)
{
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < 3; k++)
            g->x[i] *= 1 + 1e-4 * energy(g);
}

static void move(struct gas *g, double dt)
{
    for (int i = 0; i < g->count; i++) {
        g->f[i] = -g->x[i];
        g->v[i] += dt * g->f[i];
        g->x[i] += dt * g->v[i];
    }
    g->time += dt;
}

int main(int argc, char **argv)
{
    struct gas gas = { argc > 1 ? atoi(argv[1]) : 12, NULL, NULL, NULL, 0 };
    double enough = argc > 2 ? atof(argv[2]) : 1e9, end = argc > 3 ? atof(argv[3]) : 0.6;
    gas.x = calloc(gas.count, sizeof *gas.x);
    gas.v = calloc(gas.count, sizeof *gas.v);
    gas.f = calloc(gas.count, sizeof *gas.f);
    for (int i = 0; i < gas.count; i++)
        gas.x[i] = i * 0.1;
    while (energy(&gas) > enough)
        relax(&gas);
    while (gas.time < end)
        move(&gas, 0.01);
#ifdef LISTED
    DIR *directory = opendir("/");
    while (gas.time < 2 * end) {
        if (readdir(directory) == NULL)
            rewinddir(directory);
        move(&gas, 0.01);
    }
#endif
    printf("%.17g %.17g\n", gas.time, energy(&gas));
    return 0;
}
