/* Blocks of the heap get the type under which they are used, and members of their own. */
#include <stdlib.h>

struct box { int cells; int *count; };
struct simulation { struct box *box; double *u; double energy; double *spare; };

static struct simulation *set_up(int cells)
{
    struct simulation *s = malloc(sizeof *s);
    s->box = malloc(sizeof *s->box); /* must: heap@22>blocks.c:9[].box → heap@22>blocks.c:10[].cells */
    s->box->cells = cells; /* should: heap@22>blocks.c:9[].box ↛ heap@22>blocks.c:13[]; cells ↛ heap@22>blocks.c:12[] */
    s->box->count = calloc(cells, sizeof(int)); /* must: heap@22>blocks.c:10[].count → heap@22>blocks.c:12[] */
    s->u = calloc(cells, sizeof(double)); /* must: heap@22>blocks.c:9[].u → heap@22>blocks.c:13[] */
    s->energy = 0.5;
    s->u[0] = 1; /* should: heap@22>blocks.c:9[].u ↛ heap@22>blocks.c:12[] */
    s->box->count[3] = 1;
    return s;
}

int main(void)
{
    struct simulation *s = set_up(10); /* must: s → heap@22>blocks.c:9[].box */
    return s->box->count[0] + (int)s->u[3];
}
