/* What stands before init runs in every start, as large codes do it: their set-up phase allocates, and what it made is
 * not registered as a whole. Its pointers are found again because every run makes them anew; members behind them are
 * registered one by one; a constant pointer to a work array is registered like any other. */
#include <stdio.h>
#include <stdlib.h>

struct box { int cells; int *count; };
struct simulation { struct box *box; double *u; double energy; double *spare; };

static struct simulation *set_up(int cells)
{
    struct simulation *s = malloc(sizeof *s);
    s->box = malloc(sizeof *s->box);
    s->box->cells = cells;
    s->box->count = calloc(cells, sizeof(int));
    s->u = calloc(cells, sizeof(double));
    s->energy = 0.5;
    return s; /* `spare` stays without a value */
}

static void tear_down(struct simulation **s)
{
    free((*s)->u);
    free((*s)->box->count);
    free((*s)->box);
    free(*s);
    *s = NULL;
}

static void report(const struct simulation *s, int step)
{
    static int before = -1;
#pragma cccp register(before)
    printf("%d (%d after) %.17g %d\n", step, step - before, s->energy, s->box->count[1]);
    before = step;
}

static double *work_array(const int n)
{
    return calloc(n, sizeof(double));
}

static void advance(struct simulation *s, int steps, double dt)
{
    double *const work = work_array(s->box->cells);
#pragma cccp register(work[s->box->cells])
    for (int k = 0; k < steps; k++) {
#pragma cccp register(k)
#pragma cccp checkpoint
        for (int i = 0; i < s->box->cells; i++) {
            work[i] += dt * (i + k);
            s->u[i] += work[i];
            s->box->count[i] += k + i;
            s->energy += s->u[i] / 3.0;
        }
    }
    free(work);
#pragma cccp unregister(work)
}

int main(void)
{
    struct simulation *s = set_up(4);
    const int steps = s->box->cells;
    int step = 0;
#pragma cccp init
#pragma cccp register(step, s->energy, s->u[s->box->cells], s->box->count[s->box->cells])
    for (; step < steps; step++) {
        report(s, step);
        advance(s, 3, 0.125);
    }
    report(s, step);
#pragma cccp shutdown
    tear_down(&s);
    return 0;
}
