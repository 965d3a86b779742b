/* Streams and numbers come out of the same untyped places: pointers to streams may point to the numbers, as far as anybody
 * knows, and these are state all the same. */
#include <stdio.h>
#include <stdlib.h>

typedef FILE *channel;
struct holder {
    void *slots[2];
};

static double values[4];
static struct { int used; double cells[3]; } sums;

static void *pick(void **from, int which)
{
    return from[which];
}

int main(int argc, char **argv)
{
    struct holder holder = {{fopen("first.txt", "w"), values}};
    double *more = malloc(4 * sizeof *more);
    void *places[3] = {more, fopen("second.txt", "w"), &sums};
    FILE *first = holder.slots[argc > 5];
    channel second = pick(places, argc > 5 ? 2 : 1);

    (void)argv;
    for (int i = 0; i < 4; i++)
        more[i] = i;
    for (int step = 0; step < 30; step++) {
        for (int i = 0; i < 4; i++) {
            values[i] += step * i;
            more[i] += values[i];
            sums.cells[i % 3] += more[i];
        }
        sums.used++;
        fprintf(first, "%d\n", step);
        fprintf(second, "%d\n", step * step);
    }
    fclose(first);
    fclose(second);
    printf("%g %g %g %d\n", values[3], more[2], sums.cells[1], sums.used);
    return 0;
}
