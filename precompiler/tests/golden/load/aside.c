/* A list that is given back, and what is said before the run fails, are no places for a checkpoint. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    double value;
    double *more;
    struct item *next;
};

static char text[200];

static void give_back(struct item **all)
{
    while (*all) { /* not selected */
        while (*all && (*all)->value > 1) {
            struct item *next = (*all)->next;
            free((*all)->more);
            free(*all);
            *all = next;
        }
        if (*all)
            (*all)->value = 2;
    }
}

static void fail(struct item *all, const char *why)
{
    double sum = 0;
    for (struct item *one = all; one; one = one->next)
        for (int i = 0; i < 4; i++)
            sum += one->more[i];
    while (sum > 1) /* not selected */
        for (struct item *one = all; one; one = one->next)
            for (int i = 0; i < 100; i++) {
                text[i]++;
                sum *= 0.9 + 0.0001 * text[i];
            }
    fprintf(stderr, "%s %g\n", why, sum);
    exit(1);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    struct item *all = NULL;
    for (int i = 0; i < 10; i++) {
        struct item *one = malloc(sizeof *one);
        one->value = i;
        one->more = calloc(4, sizeof *one->more);
        one->next = all;
        all = one;
    }
    if (steps < 0)
        fail(all, "no steps");
    for (int step = 0; step < steps; step++) /* selected */
        for (struct item *one = all; one; one = one->next) {
            one->value = 0.5 * one->value + step;
            one->more[step % 4] += one->value;
        }
    double sum = 0;
    for (struct item *one = all; one; one = one->next)
        sum += one->value + one->more[1];
    printf("%.17g\n", sum);
    give_back(&all);
    return 0;
}
