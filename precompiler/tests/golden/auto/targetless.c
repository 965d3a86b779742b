/* Calls through pointers in which nothing is ever stored do not happen, and a function that nothing calls does nothing. */
#include <stdio.h>
#include <unistd.h>

typedef void (*hook)(double *);
typedef double (*term)(int);

struct solver { hook before; hook after; int steps; };

static double x[8];
static term extra;
static hook hooks[4];

static void apply(struct solver *s, double *u)
{
    if (s->before)
        s->before(u);
    for (int i = 0; i < 8; i++)
        u[i] += 1.0 / (i + s->steps);
    if (s->after)
        s->after(u);
}

static void each(hook one, double *u)
{
    one(u);
}

void offered(hook one, hook other)
{
    each(one, x);
    other(x);
}

int main(int argc, char **argv)
{
    struct solver solver = {.steps = argc};
    int verbose = getopt(argc, argv, "v") == 'v';
    for (int step = 0; step < 1000; step++) {
        apply(&solver, x);
        if (extra)
            x[0] += extra(step);
        for (int i = 0; i < 4; i++)
            if (hooks[i])
                hooks[i](x);
        solver.steps++;
    }
    printf("%d %.17g\n", verbose, x[5]);
    return 0;
}
