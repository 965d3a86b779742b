/* Structs that the program carves from one block, and a table that is searched by their addresses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
    struct particle *next;
    double *track;
    int length;
};

static char *memory;
static size_t taken;
static struct particle *table[32];

static void *carve(size_t size)
{
    void *place = memory + taken;
    taken += (size + 15) & ~(size_t)15;
    return place;
}

static int slot(const struct particle *one)
{
    return (int)(((uintptr_t)one >> 4) * 2654435761u >> 7) & 31;
}

int main(void)
{
    struct particle *all = NULL, *one;
    double sum = 0;
    int step, k;
    memory = malloc(1 << 15);
    for (k = 0; k < 12; k++) {
        one = carve(sizeof *one);
        one->length = 4 + k % 3;
        one->track = carve(one->length * sizeof(double));
        one->next = all;
        all = one;
        table[slot(one)] = one;
    }
    for (step = 0; step < 20; step++)
        for (one = all; one != NULL; one = one->next)
            for (k = 0; k < one->length; k++)
                one->track[k] = 0.5 * one->track[k] + table[slot(one)]->length + step;
    for (one = all; one != NULL; one = one->next)
        for (k = 0; k < one->length; k++)
            sum += one->track[k];
    printf("%.17g\n", sum);
    return 0;
}
