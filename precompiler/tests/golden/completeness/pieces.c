#include <stdlib.h>

struct cells { int count; double size[3]; double *values; };
double total;

/* A restart has to have the block before it can put a member into it. */
void by_members(void)
{
    struct cells *c = malloc(sizeof *c);
    c->count = 4;
    c->values = malloc(4 * sizeof(double));
    /* must: c->count missing */
#pragma cccp register(c, c->count, c->size, c->values, c->values[c->count], total)
#pragma cccp checkpoint
    for (int i = 0; i < c->count; i++) total += c->values[i] * c->size[0];
}

void as_a_block(void)
{
    struct cells *d = malloc(sizeof *d);
    d->count = 4;
    d->values = malloc(4 * sizeof(double));
#pragma cccp register(d[1], d->values[d->count], total)
    /* should: d->count held, d->values held */
#pragma cccp checkpoint
    for (int i = 0; i < d->count; i++) total += d->values[i] * d->size[0];
}

int main(void)
{
    struct cells *early = malloc(sizeof *early);
    early->size[0] = 2;
#pragma cccp init
    early->count = 5;
#pragma cccp register(early->count, total)
    /* should: early->count held, early->size held */
#pragma cccp checkpoint
    total += early->count * early->size[0];
    by_members();
    as_a_block();
    return total > 3;
}
