/* Old C: static functions are declared in the blocks that call them, one with variables of its result's type, one hidden by a local of that name elsewhere. */
#include <stdio.h>
#include <stdlib.h>

typedef struct element {
    double real;
    struct element *next;
} *element_pointer;

static double largest();
static element_pointer fill_in();

extern char *never_defined;

int main(argc, argv)
int argc;
char **argv;
{
    double found, largest();
    element_pointer list = NULL, fill_in();
    int step, other();
    for (step = 0; step < 12; step++) {
        list = fill_in(list, step);
        found = largest(list);
        {
            extern int other();
            double largest = found * 0.5;
            printf("%d %g %g %d\n", step, found, largest, other(step));
        }
    }
    return argv[argc] != NULL;
}

static double largest(list)
element_pointer list;
{
    double most = 0;
    for (; list != NULL; list = list->next)
        if (list->real > most)
            most = list->real;
    return most;
}

static element_pointer fill_in(list, step)
element_pointer list;
int step;
{
    element_pointer one = (element_pointer)malloc(sizeof *one);
    if (one == NULL)
        exit(1);
    one->real = (step * 7) % 11;
    one->next = list;
    return one;
}
