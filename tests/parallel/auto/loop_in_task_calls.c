/* The time loop is in a task; what it calls makes tasks, deeper and deeper, and waits for them. */
#include <stdio.h>
#include <stdlib.h>

struct place {
    struct place *next, *below;
    double here, sum;
    int level;
};

static int deepest = 2, steps = 25;

static struct place *grown(int level, int count)
{
    struct place *first = NULL;
    for (int i = 0; i < count; i++) {
        struct place *one = calloc(1, sizeof *one);
        one->next = first;
        one->level = level;
        one->here = 1 + i + level;
        if (level > 0)
            one->below = grown(level - 1, 3);
        first = one;
    }
    return first;
}

static void stepped(struct place *one)
{
    if (one == NULL)
        return;
    for (struct place *low = one->below; low != NULL; low = low->next) {
#pragma omp task untied if (deepest - one->level < 2)
        stepped(low);
    }
    for (int k = 0; k < 300; k++)
        one->here += 1.0 / (1 + k + one->here);
#pragma omp taskwait
    for (struct place *low = one->below; low != NULL; low = low->next)
        one->sum += low->here;
}

static void run(struct place *top)
{
    long i;
#pragma omp parallel
#pragma omp single
#pragma omp task untied
    for (i = 0; i < steps; i++)
        stepped(top);
}

static double total(const struct place *one)
{
    double sum = 0;
    for (; one != NULL; one = one->next)
        sum += one->here + one->sum + total(one->below);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        steps = atoi(argv[1]);
    struct place *top = grown(deepest, 1);
    run(top);
    printf("%.17g\n", total(top));
    return 0;
}
