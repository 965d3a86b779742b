/* The set-up runs in every start. A block that changes comes back with all its pointers, so what they lead to has to come
   back, too, although it is the same as ever. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct simulation {
    double sum;
    double *table;
};

int main(void)
{
    struct simulation *s = malloc(sizeof *s);

    s->sum = 0;
    s->table = malloc(1000 * sizeof *s->table);
    for (int k = 0; k < 1000; k++)
        s->table[k] = k;
#pragma cccp init
    for (int i = 0; i < 1000; i++) { /* before: register(follow(s)) checkpoint */
        for (int k = 1; k < 1000; k++)
            s->sum += sin(s->table[i]) / k;
        printf("%g\n", s->sum);
    }
    return 0;
}
