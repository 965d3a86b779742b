/* Macros with the names of functions that the library looks at: over a function of the program, over the function itself, in a header,
 * taken away again in another file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define malloc(n) counted(n, __LINE__)
#define strdup(text) (copies++, strdup(text))

typedef struct node {
    struct node *next;
    double value;
    char *name;
} node;

static long lines, copies;
static void *counted(size_t n, int line)
{
    lines += line;
    return (malloc)(n);
}

#include "macros_of_allocators.h"

static node *list;

static void push(double value)
{
    node *one = malloc(sizeof *one);
    one->value = value;
    one->name = strdup("a name");
    one->next = list;
    list = one;
}

static void pop(void)
{
    node *one = list;
    list = one->next;
    free(one->name);
    free(one);
}

int main(void)
{
    double sum = 0;
    double *held = calloc(10, sizeof *held);
    for (int i = 0; i < 30; i++) {
        push(i);
        if (i % 3 == 2)
            pop();
        for (node *one = list; one != NULL; one = one->next)
            sum += one->value += one->name[0];
        held[i % 10] += sum;
    }
    printf("%g %g %ld %ld %ld\n", sum, held[3], lines, copies, released);
    return 0;
}
