// assumes what is copied here ends where the array `name` of `struct row` does, and no pointer behind it is copied
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row { int n; char name[12]; double *data; int end; };

static struct row kept;

int main(int argc, char **argv)
{
    struct row *made = malloc(sizeof *made);
    size_t i, step, length = 20 * argc;
    double sum = 0;
    made->n = 100;
    made->data = malloc(100 * sizeof(double));
    for (i = 0; i < 100; i++)
        made->data[i] = i;
    /* With the pointer behind the name. */
    memcpy(kept.name, made->name, length);
    kept.n = made->n;
    for (step = 0; step < 1000; step++)
        for (i = 1; i < 99; i++)
            kept.data[i] += 0.25 * (kept.data[i - 1] - 2 * kept.data[i] + kept.data[i + 1]);
    for (i = 0; i < 100; i++)
        sum += kept.data[i];
    printf("%.10f\n", sum);
    return 0;
}
