/* In a recursion each call has a block of its own, those that wait for a deeper one, too: an item for that one is none for
 * theirs. */
#include <stdio.h>
#include <stdlib.h>

struct grown { int *data; int used, room; };

static int sum;

static void push(struct grown *to, int value)
{
    if (to->used == to->room) {
        to->room = to->room ? 2 * to->room : 2;
        to->data = realloc(to->data, to->room * sizeof(int));
    }
    to->data[to->used++] = value;
}

static int pop(struct grown *from)
{
    return from->used > 0 ? from->data[--from->used] : 0;
}

static void deeper(int depth)
{
    struct grown here = {0, 0, 0};

    push(&here, depth + 10);
    if (depth > 0)
        deeper(depth - 1);
    push(&here, depth + 20);
#pragma cccp checkpoint
    sum = 3 * sum + pop(&here);
    sum = 3 * sum + pop(&here);
    free(here.data);
}

int main(void)
{
    deeper(5);
    printf("%d\n", sum);
    return 0;
}
