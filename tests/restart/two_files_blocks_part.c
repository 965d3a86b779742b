/* See two_files_blocks_main.c. */
#include <stdlib.h>

struct link {
    double value;
    struct link *next;
};

struct queue {
    struct link *first, **last;
};

struct queue *queue_new(void)
{
    struct queue *one = malloc(sizeof *one);
    one->first = NULL;
    one->last = &one->first;
    return one;
}

void queue_put(struct queue *queue, double value)
{
    struct link *one = malloc(sizeof *one);
    one->value = value;
    one->next = NULL;
    *queue->last = one;
    queue->last = &one->next;
}

double queue_take(struct queue *queue)
{
    struct link *one = queue->first;
    double value = one->value;
    queue->first = one->next;
    if (!queue->first)
        queue->last = &queue->first;
    free(one);
    return value;
}

double *numbers(int count)
{
    double *all = malloc((size_t)count * sizeof *all);
    for (int i = 0; i < count; i++)
        all[i] = i * 0.5 + count;
    return all;
}

void (*const back)(void *) = free;

void give_back(void *block)
{
    back(block);
}
