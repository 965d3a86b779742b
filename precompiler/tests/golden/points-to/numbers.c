/* Copies of numbers carry no pointers, wherever the analysis believes that they lead; copies in bytes and words do. */
#include <stdlib.h>
#include <string.h>

typedef struct node {
    int d[4];
    float *x;
    struct node *other;
} node;

static int z;
static union { float *numbers; node *one; } any;
static struct { int n; int *first; } from, to, short_of, long_of;
static struct { unsigned long bits[2]; int *first; } wide_from, wide_to;

static void numbers(node *a, node *b, float **rows, int n)
{
    any.one = b;
    float *confused = any.numbers;              /* must: confused → heap@39[].d[] */
    b->other = b;
    memcpy(a->x, confused, n * sizeof(float));  /* should: heap@36[] ↛ heap@39[].d[] */
    memcpy(rows[0], confused, n);               /* should: heap@36[] ↛ heap@39[].d[] */
    memcpy(a->d, b->d, n * sizeof(int));        /* should: heap@38[].other ↛ heap@39[].d[] */
    memmove((char *)a->d, b->d, sizeof(short) * n); /* should: heap@38[].other ↛ heap@39[].d[] */
}

static void words(int n)
{
    memcpy(&to.n, &from.n, n);                             /* must: to.first → z */
    memcpy((int *)&long_of, (int *)&short_of, n * sizeof(int)); /* must: long_of.first → z */
    memcpy(wide_to.bits, wide_from.bits, n * sizeof(long)); /* must: wide_to.first → z */
}

int main(void)
{
    float *row = calloc(8, sizeof(float)), *rows[] = {row};
    from.first = short_of.first = wide_from.first = &z;
    node *a = calloc(1, sizeof(node));
    node *b = calloc(1, sizeof(node));
    a->x = row;
    numbers(a, b, rows, z);
    words(z);
    return *to.first + *long_of.first + *wide_to.first + (a->other == b);
}
