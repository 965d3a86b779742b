/* Blocks of many types from functions that allocate through an address: posix_memalign in one, asprintf's like in another. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int number;
    long seed;
    char *name;
    struct node *next;
};

static void out_of_memory(void)
{
    printf("no memory\n");
    exit(1);
}

static void *aligned(size_t size)
{
    void *block = NULL;
    int failed = posix_memalign(&block, 64, size);
    if (failed != 0)
        out_of_memory();
    return block;
}

static int given(void **where, size_t size)
{
    return posix_memalign(where, 32, size);
}

static double *numbers(size_t count)
{
    double *all;
    if (posix_memalign((void **)&all, 64, count * sizeof *all))
        return NULL;
    for (size_t i = 0; i < count; i++)
        all[i] = 1.0 / (i + 1);
    return all;
}

int main(void)
{
    struct node *first = aligned(sizeof *first);
    double **rows = aligned(4 * sizeof *rows), *weights = numbers(16);
    void *block = NULL;
    if (given(&block, 40 * sizeof(int)))
        out_of_memory();
    int *counts = block;
    for (int i = 0; i < 40; i++)
        counts[i] = i;
    for (int i = 0; i < 4; i++) {
        rows[i] = aligned(50 * sizeof **rows);
        for (int j = 0; j < 50; j++)
            rows[i][j] = i * j;
    }
    first->number = 3;
    first->seed = 7;
    first->name = aligned(8);
    snprintf(first->name, 8, "first");
    first->next = aligned(sizeof *first);
    *first->next = (struct node){1, 5, first->name, NULL};
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        for (int j = 0; j < 50; j++) {
            rows[step % 4][j] += weights[j % 16] * counts[(step + j) % 40];
            sum += rows[j % 4][j] / (step + first->seed);
        }
        counts[step % 40] += first->next->number;
        first->seed += first->name[step % 5];
        first->next->number = (int)(first->seed % 13);
    }
    printf("%.17g %ld %d %s %d\n", sum, first->seed, first->next->number, first->next->name, counts[7]);
    return 0;
}
