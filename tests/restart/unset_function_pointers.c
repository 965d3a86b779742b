/* A table of pointers to functions of which only some were ever set: what the others hold by chance lies right before a
   block of memory, which says nothing about that block. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double (*Rule)(double);

static double grow(double x)
{
    return 1.5 * x + 1.0;
}

static double halve(double x)
{
    return x / 2.0;
}

int main(void)
{
    Rule rules[4];
    double *block;
    uintptr_t leftover;
    int i;

#pragma cccp init
    block = malloc(8 * sizeof *block);
    leftover = (uintptr_t)block - 16;
    memcpy(&rules[1], &leftover, sizeof leftover);
    memcpy(&rules[2], &leftover, sizeof leftover);
    rules[0] = grow;
    rules[3] = halve;
    for (i = 0; i < 8; i++)
        block[i] = i;
#pragma cccp register(rules, block[8], i)
    for (i = 0; i < 8; i++) {
#pragma cccp checkpoint
        block[i] = rules[i % 2 ? 3 : 0](block[i] + block[(i + 7) % 8]);
        printf("%d %.17g\n", i, block[i]);
    }
    free(block);
#pragma cccp shutdown
    return 0;
}
