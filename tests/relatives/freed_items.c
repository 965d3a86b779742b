/* Memory of items that is freed while checkpoints are still to come: other blocks lie there then, and each is freed by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    long *values;
    int count;
} Vector;

/* The local pointer is gone with its function, and nobody has said that its memory is. */
static long once(int count)
{
    long *made = malloc(count * sizeof *made);
    long sum = 0;

    for (int i = 0; i < count; i++)
        made[i] = i;
#pragma cccp register(count, sum, made[count])
#pragma cccp checkpoint
    for (int i = 0; i < count; i++)
        sum += made[i];
    free(made);
    return sum;
}

static void release(Vector *vector)
{
    free(vector->values);
    vector->values = NULL;
}

/* The same by way of a struct, and of a pointer into the middle. */
static long structured(int count)
{
    Vector own;
    long *half, sum = 0;

    own.count = count;
    own.values = calloc(count, sizeof *own.values);
    half = own.values + count / 2;
#pragma cccp register(count, sum, own, own.values[count], half[count - count / 2])
#pragma cccp checkpoint
    half[0] = count;
    for (int i = 0; i < own.count; i++)
        sum += own.values[i] + i;
    release(&own);
    return sum;
}

/* The block lives on when its function has returned. */
static long *handed_out(int count, long first)
{
    long *made = malloc(count * sizeof *made);

    for (int i = 0; i < count; i++)
        made[i] = first + i;
#pragma cccp register(made[count])
    return made;
}

static long *before;

int main(void)
{
    int turn;
    long sum = 0;

#pragma cccp init
#pragma cccp register(sum)
    /* Its memory goes for good. */
    before = malloc(200000 * sizeof *before);
    memset(before, 1, 200000 * sizeof *before);
#pragma cccp register(before[200000])
    sum = once(8000) + before[199999];
    free(before);
    sum += structured(8000);
    for (turn = 0; turn < 4; turn++) {
        long *small = malloc(sizeof *small), *one = handed_out(5000, turn), *two = handed_out(4000 + turn, sum % 7);

        small[0] = turn;
#pragma cccp register(turn, one, two, small[1])
#pragma cccp checkpoint
        for (int i = 0; i < 4000; i++)
            sum += one[i] * two[i] + small[0];
        if (turn % 2)
            free(one);
        free(two);
        if (turn % 2 == 0)
            free(one);
        free(small);
#pragma cccp unregister(small)
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
