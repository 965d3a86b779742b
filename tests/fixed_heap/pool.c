/* A pool hands out memory behind heads with streams in them: the bytes of texts there are none of the heads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct head {
    size_t units;
    struct head *next;
    FILE *log;
} head_t;

typedef struct pool {
    head_t *free;
    FILE *log;
} pool_t;

static void *take(pool_t *pool, size_t bytes)
{
    size_t units = (bytes + sizeof(head_t) - 1) / sizeof(head_t) + 1;
    head_t **link = &pool->free, *head;
    for (; *link && (*link)->units < units; link = &(*link)->next)
        ;
    head = *link;
    if (!head) {
        head = calloc(units, sizeof *head);
        if (!head)
            exit(1);
        head->units = units;
        head->log = pool->log;
    } else
        *link = head->next;
    return head + 1;
}

static void give(pool_t *pool, void *memory)
{
    head_t *head = (head_t *)memory - 1;
    if (head->units > 9)
        fprintf(head->log, "large\n");
    head->next = pool->free;
    pool->free = head;
}

int main(void)
{
    static pool_t pool;
    pool.log = stderr;
    unsigned long sum = 0;
    char *kept[4] = {NULL};
    for (int step = 0; step < 40; step++) {
        char *text = take(&pool, 20 + step % 7);
        snprintf(text, 20, "%d;%d", step, step * step);
        for (int i = 0; text[i]; i++)
            sum = sum * 31 + (unsigned char)text[i];
        if (kept[step % 4])
            give(&pool, kept[step % 4]);
        kept[step % 4] = text;
    }
    printf("%lu %s\n", sum, kept[1]);
    return 0;
}
