/* FORM: what is made of the address of the cells. The loop looks whether the number still fits them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uintptr_t place;
struct node {
    double *cells;
    place key;
};
static place mix(place at)
{
    return (at >> 4) * 2654435761u;
}
#define XOR(a, b) ((place)(a) ^ (place)(b))

int main(void)
{
    struct node *one = calloc(1, sizeof *one);
    double sum = 0;
    one->cells = calloc(10, sizeof(double));
    one->key = FORM;
    for (int step = 0; step < 10; step++) {
#pragma cccp checkpoint
        one->cells[step] += step;
        sum += one->cells[step];
        if (one->key != (FORM))
            return 1;
    }
    printf("%g\n", sum);
    return 0;
}
