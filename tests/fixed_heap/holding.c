/* A block that holds an address of which the argument says where it leads. Before `init` it allocates as often as BLOCKS says. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct holder {
    double value;
    void *address;
};

static int variable;

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    const char *blocks = getenv("BLOCKS");
    int local = 3, step, early;
    struct holder *holder;
    for (early = blocks ? atoi(blocks) : 0; early > 0; early--)
        if (malloc(100) == NULL)
            return 3;
#pragma cccp init heap(fixed)
    holder = calloc(1, sizeof *holder);
    if (strcmp(how, "stack") == 0)
        holder->address = &local;
    else if (strcmp(how, "library") == 0)
        holder->address = localeconv();
    else if (strcmp(how, "standard") == 0)
        holder->address = (void *)stdin;
    else if (strcmp(how, "word") == 0)
        holder->address = argv[1];
    else if (strcmp(how, "variable") == 0)
        holder->address = &variable;
    else if (strcmp(how, "itself") == 0)
        holder->address = holder - 1;
    for (step = 0; step < 8; step++) {
#pragma cccp register(step, holder)
#pragma cccp checkpoint every(1)
        holder->value += step;
    }
    printf("%g %d\n", holder->value, local);
    return 0;
}
