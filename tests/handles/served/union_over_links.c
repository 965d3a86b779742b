/* The first element of a block of links says how long the block is: a union is laid over memory of another type. */
#include <stdio.h>
#include <stdlib.h>

typedef struct link { int index; struct link *previous, *next; } link_t;

typedef union chunk {
    struct { int size; union chunk *next; };
    link_t links[1];
} chunk_t;

static struct { chunk_t *chunks; link_t *first; size_t bytes; } queue;

static link_t *add(link_t *previous, int size)
{
    link_t *links = calloc(size, sizeof *links);
    chunk_t *chunk = (chunk_t *)links;
    if (!links)
        exit(1);
    queue.bytes += size * sizeof *links;
    chunk->size = size;
    chunk->next = queue.chunks;
    queue.chunks = chunk;
    for (int i = 1; i < size; i++) {
        links[i].index = i * size;
        links[i].previous = previous;
        if (previous)
            previous->next = &links[i];
        else
            queue.first = &links[i];
        previous = &links[i];
    }
    return previous;
}

static void release(void)
{
    for (chunk_t *chunk = queue.chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        queue.bytes -= chunk->size * sizeof(link_t);
        free(chunk->links);
    }
    queue.chunks = NULL;
    queue.first = NULL;
}

int main(void)
{
    long sum = 0;
    link_t *last = NULL;
    for (int step = 0; step < 40; step++) {
        if (step % 16 == 15) {
            release();
            last = NULL;
        }
        if (step % 4 == 0 || !last)
            last = add(last, 5 + step % 3);
        for (link_t *one = queue.first; one; one = one->next)
            sum += one->index * (step % 5 + 1);
    }
    printf("%ld %zu\n", sum, queue.bytes);
    release();
    return 0;
}
