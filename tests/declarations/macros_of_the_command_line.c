/* The command line and a file that the compiler reads first make macros of names that the library's headers declare: `-Dfirst=3 -Dsize=8 …`. */
#include <stdio.h>
#include <stdlib.h>

struct list {
    double *items;
    int length;
};

static double next_of(struct list *list, int step)
{
    list->items[step % list->length] += first * 0.5 + step;
    return list->items[(step * 7) % list->length];
}

int main(int argc, char **argv)
{
    struct list list = {malloc(size * sizeof(double)), size};
    double sum = 0;
    for (int i = 0; i < list.length; i++)
        list.items[i] = i + kind + argc;
#pragma cccp init
    for (int step = 0; step < calls; step++) {
#pragma cccp register(list, list.items[list.length], sum, step)
#pragma cccp checkpoint
        sum = 0.75 * sum + next_of(&list, step) + constructor;
    }
#pragma cccp shutdown
    printf("%.17g %s %d\n", sum, name, flags(argc));
    return argv[1] != NULL;
}
