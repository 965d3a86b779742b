/* Blocks that point to locals of functions that are still active: an allocator that main lends with its functions and its account, a table in
 * which locals are found by their addresses, and a chain of results, one for each call, on the stack. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct allocator {
    void *(*allocate)(struct allocator *, size_t);
    void (*release)(struct allocator *, void *);
    size_t used, most;
};

/* Keeps the size before the block. */
static void *counted_allocate(struct allocator *own, size_t size)
{
    size_t *block = malloc(size + 2 * sizeof(size_t));
    if (block == NULL)
        exit(3);
    block[0] = size;
    own->used += size;
    if (own->used > own->most)
        own->most = own->used;
    return block + 2;
}

static void counted_release(struct allocator *own, void *block)
{
    size_t *start = (size_t *)block - 2;
    own->used -= start[0];
    free(start);
}

struct slot {
    void *key;
    long value;
};

struct table {
    struct allocator *allocator;
    struct slot *slots;
    int room;
};

static struct slot *find(struct table *table, void *key)
{
    unsigned at = (unsigned)((uintptr_t)key >> 2) * 2654435761u >> 16;
    while (table->slots[at % table->room].key != NULL && table->slots[at % table->room].key != key)
        at++;
    return &table->slots[at % table->room];
}

struct result {
    struct result *before;
    long value;
};

struct work {
    struct allocator *allocator;
    struct table *table;
    struct result *last;
    int *steps;
};

static void walk(struct work *work, int depth)
{
    struct result own = {work->last, depth};
    int step;
    work->last = &own;
    find(work->table, &own)->key = &own;
    if (depth < 3) {
        walk(work, depth + 1);
    } else {
        for (step = 0; step < 8; step++) {
            struct result *one;
            char *text = work->allocator->allocate(work->allocator, 10 + step);
            for (one = work->last; one != NULL; one = one->before) {
                one->value = (one->value * 31 + step) % 1000003;
                find(work->table, one)->value += one->value;
            }
            text[step] = 'a' + step;
            ++*work->steps;
            if (step % 3 == 0)
                work->allocator->release(work->allocator, text);
        }
    }
    printf("%d %ld %ld\n", depth, own.value, find(work->table, &own)->value);
    work->last = own.before;
}

int main(int argc, char **argv)
{
    struct allocator allocator = {counted_allocate, counted_release, 0, 0};
    struct table *table = allocator.allocate(&allocator, sizeof *table);
    struct work *work = allocator.allocate(&allocator, sizeof *work);
    int steps = argc, i;
    table->allocator = &allocator;
    table->room = 61;
    table->slots = allocator.allocate(&allocator, table->room * sizeof *table->slots);
    for (i = 0; i < table->room; i++)
        table->slots[i] = (struct slot){NULL, 0};
    work->allocator = &allocator;
    work->table = table;
    work->last = NULL;
    work->steps = &steps;
    walk(work, 0);
    printf("%zu %zu %d\n", allocator.used, allocator.most, steps);
    return argv[0] == NULL;
}
