/* The same with a constant, through a function of the program that allocates, and with a typedef. */
/* refused: cannot restore what this call allocates | a `net` with something else behind it */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int inputs; double *weight; } net;

static void *need(size_t bytes)
{
    void *found = malloc(bytes);
    if (found == NULL)
        exit(1);
    return found;
}

int main(int argc, char **argv)
{
    const size_t behind = (argc + 7) * sizeof(double);
    const size_t size = sizeof(net) + behind;
    net *all = need(size);
    all->inputs = argc + 7;
    all->weight = (double *)((char *)all + sizeof(net));
    for (int i = 0; i < all->inputs; i++)
        all->weight[i] = i;
    for (int step = 0; step < 1000; step++)
        for (int i = 0; i < all->inputs; i++)
            all->weight[i] += 0.5 * step;
    printf("%g\n", all->weight[3]);
    return 0;
}
