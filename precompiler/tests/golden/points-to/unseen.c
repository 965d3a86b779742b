/* Code that is not here. */
#include <stdio.h>

struct box { int *inside; double *data; struct box *next; };

extern int *register_box(struct box *box);
extern int everywhere;

static int x, y;
static double values[10];
static struct box seen, unseen;

int *visible(int *given) /* must: given → x, ? */
{
    return given;
}

static void hidden(int *given) /* must: given → y */ /* should: given ↛ ? */
{
    *given = 0;
}

int main(void)
{
    int *p, *q;
    int local = 0;
    FILE *file = fopen("x", "r");

    seen.inside = &x;
    seen.data = values;
    unseen.inside = &y; /* should: unseen.inside ↛ x; unseen.inside ↛ ? */
    p = register_box(&seen); /* must: p → x, ?; p → seen.inside; seen.inside → x, ?; seen.inside → seen.inside */
    q = seen.inside; /* must: q → ?; q → x */ /* should: q ↛ y; p ↛ local */
    hidden(&y);
    hidden(&local);
    fscanf(file, "%d", &local);
    return *p + *q;
}
