/* Blocks that hold one struct: nothing lies behind it, and a write to a member is one to that member. */
#include <stdio.h>
#include <stdlib.h>

/* Two kinds behind one pointer; the longer one has more members. */
struct base {
    int kind;
    double factor;
};

struct longer {
    int kind;
    double factor;
    double more;
    long count;
};

static void *get(size_t size)
{
    return malloc(size);
}

/* As many bytes as it says itself. */
static void *more(size_t size)
{
    size += 24;
    return malloc(size);
}

static void count(struct base *b)
{
    if (b->kind == 1)
        ((struct longer *)b)->count++;
}

static struct base *chosen(int which)
{
    if (which) {
        struct longer *l = get(sizeof *l);
        l->kind = 1;
        l->factor = 0.5;
        l->more = l->count = 0;
        return (struct base *)l;
    }
    struct base *b = get(sizeof *b);
    b->kind = 0;
    b->factor = 0.25;
    return b;
}

struct cell {
    double value;
    double rest;
};

/* The end of a longer block than its type says: what is stored there is there. */
static double beyond(struct cell *c, int i)
{
    struct longer *l = (struct longer *)c;

    l->count += i;
    return l->count;
}

int main(int argc, char **argv)
{
    double sum = 0;
    struct base *b = chosen(argc > 1);
    struct cell *one = malloc(sizeof *one);
    struct cell *two = malloc(2 * sizeof *two);
    struct cell *again = malloc(sizeof *again);
    struct cell *grown = more(sizeof *grown);
    struct cell *list[2];
    int i;

    one->value = two[0].value = two[1].value = again->value = grown->value = 1;
    one->rest = two[0].rest = two[1].rest = again->rest = grown->rest = 0;
    again = realloc(again, 4 * sizeof *again);
    if (again == NULL)
        return 1;
    again[3].value = 0;
    for (i = 0; i < 2; i++) {
        list[i] = malloc(sizeof *list[i]);
        list[i]->value = i;
        list[i]->rest = 0;
    }
#pragma cccp init
#pragma cccp register(sum, i)
    for (i = 0; i < 10; i++) {
/* should: b->kind held, b->factor held, one->value absent, one->rest held */
/* must: b->count missing, two[…] missing, again[…] missing, grown->count missing, list[…][…] missing */
#pragma cccp checkpoint
        one->value = i;
        two[0].value = i;
        again[0].value = i;
        list[i % 2]->value = i;
        sum += one->value + one->rest + two[1].value + again[3].value + beyond(grown, i);
        sum += list[0]->value + b->kind * b->factor;
        two[1].value = again[3].value = sum;
        count(b);
    }
    printf("%g\n", sum);
#pragma cccp shutdown
    return argv == NULL;
}
