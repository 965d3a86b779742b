/* Functions that make something: what a call stores is in what that call has made. */
#include <stdlib.h>
#include <stdio.h>

struct node {
    double value;
    int key;
};

static void *get(size_t bytes)
{
    return malloc(bytes);
}

static struct node *make(int key)
{
    struct node *new = get(sizeof *new);
    new->key = key;
    return new;
}

/* The second call stores to what the first one made. */
static struct node *same(int key)
{
    static struct node *kept;
    if (!kept)
        kept = get(sizeof *kept);
    kept->key = key;
    return kept;
}

/* One of two. */
static struct node *either(struct node *old, int key)
{
    struct node *new = key > 5 ? old : get(sizeof *new);
    new->key = key;
    return new;
}

/* Deep down, and made in a circle. */
static struct node *deep(int depth, int key)
{
    if (depth > 0)
        return deep(depth - 1, key);
    return make(key);
}

int main(void)
{
    struct node *first = make(1);
    struct node *shared = same(2);
    struct node *old = either(NULL, 3);
    struct node *low = deep(3, 4);
    int step = 0;
#pragma cccp init
#pragma cccp register(step)
    for (; step < 10; step++) {
        /* should: first->key held */
        /* must: shared->key missing */
        /* must: old->key missing */
#pragma cccp checkpoint
        struct node *more = make(step);
        struct node *again = same(step);
        struct node *other = either(old, step);
        printf("%d %d %d\n", more->key, again->key, other->key);
        printf("%d %d %d\n", first->key, shared->key, old->key);
        free(more);
    }
    for (step = 0; step < 10; step++) {
        /* must: low->key missing */
#pragma cccp checkpoint
        printf("%d\n", low->key);
        low = deep(step, step);
    }
    return 0;
}
