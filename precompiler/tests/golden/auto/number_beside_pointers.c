/* A number in a union of a struct is no piece of the pointers in other structs of the same list. */
#include <stdio.h>
#include <stdlib.h>

struct shape {
    int kind;
    union {
        struct {
            unsigned slot, more;
        } mark;
        struct {
            double x, y;
        } point;
    } as;
};

struct pair {
    long kind;
    double *values;
};

static void *list[64];
static int count;
static struct pair *table[16];
static unsigned hash;

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        struct shape *shape = malloc(sizeof *shape);
        shape->kind = 1;
        shape->as.mark.slot = i;
        shape->as.mark.more = i;
        list[count++] = shape;
        struct pair *pair = malloc(sizeof *pair);
        pair->kind = 2;
        pair->values = malloc(sizeof *pair->values);
        pair->values[0] = i;
        list[count++] = pair;
    }
    for (int step = 0; step < 20; step++) { /* before: register(hash, follow(table)) checkpoint */
        for (int i = 0; i < count; i += 2) {
            struct shape *shape = list[i];
            struct pair *pair = list[i + 1];
            unsigned slot = shape->as.mark.slot * 31u;
            hash = hash * 31u + slot;
            table[(slot + step) % 16] = pair;
            sum += pair->values[0];
            pair->values[0] *= 0.5;
        }
    }
    for (int i = 0; i < 16; i++)
        if (table[i])
            sum += table[i]->values[0] * i;
    printf("%.17g %u\n", sum, hash);
    return 0;
}
