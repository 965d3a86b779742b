/* The other file of namesake_structs.c. */
#include <stdlib.h>

struct cell {
    double v;
    int k;
    struct cell *next;
};

static struct cell *all;

void begin(void)
{
    for (int i = 0; i < 8; i++) {
        struct cell *c = calloc(1, sizeof *c);
        if (!c)
            abort();
        c->v = i;
        c->next = all;
        all = c;
    }
}

double march(long step)
{
    double sum = 0;
    for (struct cell *c = all; c; c = c->next) {
        c->v = c->v * 0.75 + step;
        c->k = (c->k * 7 + 3) % 11;
        sum += c->v * c->k;
    }
    return sum;
}
