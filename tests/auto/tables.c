/* Blocks of different types whose addresses lie in one table of `void *`: a store into one is none into the others, and each has
   the type that its allocation names: written out, through a function of one's own, as a product that a caller computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES, COUNTS, FIRST, LAST, ALL };

struct box {
    int n;
    double sum;
    struct box *next;
};

static void *written[ALL];
static void *made[ALL];
static void *viewed[ALL];
static struct box copy;

static void *zeroed(int n, size_t size)
{
    return calloc(n, size);
}

static void *bytes(size_t size)
{
    void *block = malloc(size);
    if (block)
        memset(block, 0, size);
    return block;
}

static double visit(void **table, struct box *first, struct box *last, int step)
{
    float *series = table[SERIES];
    int *counts = table[COUNTS];
    first->next = step % 3 ? last : NULL;
    for (int i = 0; i < 64; i++)
        series[i] += 0.25f * i + step;
    counts[step % 32] += step;
    for (struct box *one = first; one; one = one->next) {
        one->n += counts[step * 7 % 32];
        one->sum += series[step % 64] * one->n;
    }
    return first->sum - 0.5 * last->sum;
}

int main(void)
{
    written[SERIES] = calloc(64, sizeof(float));
    written[COUNTS] = calloc(32, sizeof(int));
    written[FIRST] = calloc(1, sizeof(struct box));
    written[LAST] = calloc(1, sizeof(struct box));
    made[SERIES] = zeroed(64, sizeof(float));
    made[COUNTS] = zeroed(32, sizeof(int));
    made[FIRST] = zeroed(1, sizeof(struct box));
    made[LAST] = zeroed(1, sizeof(struct box));
    viewed[SERIES] = bytes(64 * sizeof(float));
    viewed[COUNTS] = bytes(32 * sizeof(int));
    viewed[FIRST] = bytes(sizeof(struct box));
    viewed[LAST] = bytes(sizeof(struct box));
    double sum = 0;
    for (int step = 0; step < 60; step++) {
        struct box **boxes = (struct box **)viewed + FIRST, *first = boxes[0];
        memcpy(&copy, first, sizeof copy);
        copy.n++;
        memcpy(first, &copy, sizeof copy);
        double one = visit(written, written[FIRST], written[LAST], step);
        double two = visit(made, made[FIRST], made[LAST], step);
        double three = visit(viewed, first, boxes[1], step);
        sum = 0.5 * sum + one + 2 * two - three;
    }
    /* At the end only: where a restart begins depends on how far the files of its checkpoints were. */
    printf("%.17g\n", sum);
    return 0;
}
