/* Static pointers of functions with the blocks they lead to: allocated before init or later, grown, given back and
 * allocated again, lists. Their functions have no code for it.
 * restarted at 4: nothing */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

/* Grows with every call. */
static double gather(double value)
{
    static double *all;
    static size_t count;
#pragma cccp register(count)
#pragma cccp register(all[])
    double sum = 0;
    all = realloc(all, (count + 1) * sizeof *all);
    all[count++] = value;
    for (size_t i = 0; i < count; i++)
        sum += all[i] * (double)(i + 1);
    return sum;
}

/* Called before init. */
static int table(int at, int by)
{
    static int *numbers;
#pragma cccp register(numbers[])
    if (!numbers) {
        numbers = malloc(8 * sizeof *numbers);
        for (int i = 0; i < 8; i++)
            numbers[i] = i;
    }
    return numbers[at % 8] += by;
}

/* Allocates only now and then. */
static long scratch(int step)
{
    static long *own;
#pragma cccp register(own[])
    long result = own ? own[step % 3] : -1;
    if (step % 2) {
        free(own);
        own = NULL;
    } else {
        own = calloc(3, sizeof *own);
        own[(step + 1) % 3] = step;
    }
    return result;
}

static int push(int value)
{
    static struct node *head, *last;
#pragma cccp register(follow(head), last)
    struct node *node = malloc(sizeof *node);
    int sum = 0;
    node->value = value;
    node->next = NULL;
    if (last)
        last->next = node;
    else
        head = node;
    last = node;
    if (value % 3 == 2) {
        struct node *first = head;
        head = head->next;
        free(first);
    }
    for (struct node *at = head; at; at = at->next)
        sum = 3 * sum + at->value;
    return sum;
}

int main(void)
{
    int begun = table(3, 4);
#pragma cccp init
    int step;
#pragma cccp register(step)
    for (step = 0; step < 7; step++) {
#pragma cccp checkpoint
        printf("%d %g %d %ld %d\n", step, gather(step * 0.5), table(step, begun), scratch(step), push(step));
    }
#pragma cccp shutdown
    return 0;
}
