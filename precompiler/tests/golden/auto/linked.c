/* A chain that is not there yet where the globals are registered: it is followed, not named element by element. */
#include <stdio.h>
#include <stdlib.h>

struct element {
    int one;
    struct element *next;
};

static struct element *first, *second;

static void work(void)
{
    first = calloc(1, sizeof *first);
    second = calloc(1, sizeof *second);
    first->next = second;
    second->next = first;
    for (int i = 0; i < 1000; i++) {
#pragma cccp checkpoint
        first->next->next->one += i;
        printf("%d %d\n", first->one, second->one);
    }
}

int main(void)
{
#pragma cccp init
    work(); /* before: register(follow(first), follow(second)) */
    return 0;
}
