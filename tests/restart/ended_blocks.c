/* Registered objects in allocated memory end with it: in the scope of a pointer, in a helper, and where the memory is used again. */
#include <stdio.h>
#include <stdlib.h>

struct part { int used; int *where; };
typedef struct part *parts;

static int *kept;
static long sum;

static struct part *made(int used, int *where)
{
    struct part *one = malloc(sizeof *one);
    if (one == NULL)
        exit(1);
    one->used = used;
    one->where = where;
    return one;
}

static void pause_here(int by)
{
    sum = sum * 3 % 10007 + by;
#pragma cccp register(by)
#pragma cccp checkpoint
    sum += by;
}

static void in_scope(int number)
{
    int own[4] = {1, 2, 3, number};
#pragma cccp register(number, own)
    {
        parts one = made(number & 1, own + 1);
#pragma cccp register(follow(one), one->where)
        pause_here(one->where[2]);
        free(one);
    }
    pause_here(number);
    {
        char *again = calloc(number + 20, 3);
#pragma cccp register(again[])
        pause_here(again[7] + number);
        free(again);
    }
    pause_here(own[3]);
}

static void helper(int number)
{
    struct { int *where; } *only = malloc(sizeof *only);
    if (only == NULL)
        exit(1);
    only->where = kept + 1;
#pragma cccp register(number, only[], only->where)
    pause_here(only->where[number & 1]);
    free(only);
    pause_here(4);
}

int main(void)
{
    int i;
#pragma cccp init
    kept = malloc(4 * sizeof *kept);
    if (kept == NULL)
        return 1;
    for (i = 0; i < 4; i++)
        kept[i] = i;
#pragma cccp register(i, kept[], sum)
    for (i = 0; i < 3; i++) {
        in_scope(i);
        helper(i);
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    free(kept);
    return 0;
}
