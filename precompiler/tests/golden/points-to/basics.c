/* Assignments, calls, structs, arrays. */
#include <stdlib.h>
#include <string.h>

struct list {
    struct list *next;
    double *data;
    int count;
};

static int x, y, z;
static int *global;
static struct list *head;
static double pool[100];

static int *choose(int *a, int *b, int which)
{
    return which ? a : b; /* must: a → x; b → y */ /* should: a ↛ y; b ↛ x */
}

static void swap(int **a, int **b)
{
    int *t = *a; /* must: t → x, y */ /* should: t ↛ z */
    *a = *b;
    *b = t;
}

static void push(double *data)
{
    struct list *one = malloc(sizeof *one); /* must: one → heap@30[].next */
    one->next = head;                       /* must: heap@30[].next → heap@30[].next */
    one->data = data;                       /* must: heap@30[].data → pool[] */
    one->count = 1;                         /* should: heap@30[].data ↛ heap@30[].next */
    head = one;                             /* must: head → heap@30[].next; several heap@30[].next */
}

int main(int argc, char **argv)
{
    int *p = &x, *q, *r; /* must: p → x */ /* should: p ↛ y */
    int *fields[4];
    struct list a, b; /* should: single a.next */
    struct list *cursor;
    double *copy;
    char *word = argv[1]; /* must: word → @words */

    q = choose(&x, &y, argc); /* must: q → x, y */ /* should: q ↛ z */
    r = p;
    p = &z; /* must: p → z */
    swap(&q, &global); /* must: global → x, y */
    fields[2] = r; /* must: fields[] → x */ /* should: fields[] ↛ y */
    push(pool + 3);
    push(pool);
    for (cursor = head; cursor; cursor = cursor->next) /* must: cursor → heap@30[].next */
        cursor->data[0] = 0;
    a.next = &b; /* must: a.next → b.next */
    a.data = &pool[7];
    b = a; /* must: b.next → b.next; b.data → pool[] */ /* should: b.data ↛ b.next */
    memcpy(&a, &b, sizeof a); /* must: a.data → pool[] */ /* should: a.data ↛ b.next */
    copy = malloc(10 * sizeof *copy); /* must: copy → heap@59[]; single heap@59[] */
    copy = realloc(copy, 20 * sizeof *copy); /* must: copy → heap@60[] */
    return *p + *word + (int)*copy;
}
