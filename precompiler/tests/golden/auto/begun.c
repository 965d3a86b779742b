/* Nothing leads to the static of a function that has not been called: registered where it begins, it is on every way on
   which it may have been changed. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int one;
    struct node *next;
};

static int first = 3;
static int *current = &first;

static struct node *same(int one)
{
    static struct node *kept;
    if (!kept) /* before: register(kept[]) */
        kept = calloc(1, sizeof *kept);
    kept->one += one;
    return kept;
}

static int count(int depth)
{
    static int calls[4] = { 1, 2, 3, 4 };
    *current += depth; /* before: register(calls) */
    switch (depth & 3) {
    case 2:
        calls[1] += count(depth - 1);
        current = &calls[depth & 3];
    case 1:
        calls[2] += depth;
#pragma cccp checkpoint
        break;
    default:
        calls[3] += depth > 0 ? count(depth - 1) : 1;
    }
    return calls[depth & 3];
}

int main(void)
{
    struct node *list = NULL;
#pragma cccp init
    int sum = 0;
    for (int i = 0; i < 9; i++) {
#pragma cccp checkpoint
        if (i % 4 == 3)
            list = same(i);
        sum += count(i) + (list ? list->one : 0);
        *current += sum & 7;
    }
    printf("%d %d %d\n", sum, first, list ? list->one : 0);
#pragma cccp shutdown
    return 0;
}
