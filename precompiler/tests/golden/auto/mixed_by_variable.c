/* The size of a struct and of the numbers behind it, added up in a variable: the block is known to hold both. */
/* refused: cannot restore what this call allocates | a `struct net` with something else behind it */
#include <stdio.h>
#include <stdlib.h>

struct net { int inputs; double *weight; };

static struct net *make(int inputs)
{
    int size = sizeof(struct net);
    size += (int)(inputs * sizeof(double));
    struct net *net = malloc(size);
    net->inputs = inputs;
    net->weight = (double *)(net + 1);
    for (int i = 0; i < inputs; i++)
        net->weight[i] = i;
    return net;
}

int main(int argc, char **argv)
{
    struct net *net = make(argc + 7);
    for (int step = 0; step < 1000; step++)
        for (int i = 0; i < net->inputs; i++)
            net->weight[i] += 0.5 * step;
    printf("%g\n", net->weight[3]);
    return 0;
}
