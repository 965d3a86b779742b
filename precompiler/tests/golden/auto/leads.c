/* Memory behind `void *` and behind a pointer to a struct that others begin like has no name of its own: it is followed from
 * the variable, when all that may be there is known. */
#include <stdio.h>
#include <stdlib.h>

struct base {
    double cutoff;
};
struct table {
    double cutoff;
    double *values;
};
struct pairs {
    int n;
    int *list;
};
struct system {
    struct base *potential;
    void *pairs;
    double energy;
};

static struct base *potential(int n)
{
    struct table *table = malloc(sizeof *table);
    table->cutoff = 2.5;
    table->values = malloc(n * sizeof *table->values);
    for (int i = 0; i < n; i++)
        table->values[i] = 1.0 / (i + 1);
    return (struct base *)table;
}

static void *pairs(int n)
{
    struct pairs *pairs = malloc(sizeof *pairs);
    pairs->n = n;
    pairs->list = malloc(n * sizeof *pairs->list);
    for (int i = 0; i < n; i++)
        pairs->list[i] = i * 7 % n;
    return pairs;
}

static void step(struct system *system)
{
    struct table *table = (struct table *)system->potential;
    struct pairs *pairs = system->pairs;
    for (int i = 0; i < pairs->n; i++) {
        table->values[i] += table->cutoff * pairs->list[i];
        system->energy += table->values[pairs->list[i]];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    struct system *system = malloc(sizeof *system);
    system->potential = potential(n);
    system->pairs = pairs(n);
    system->energy = 0;
    for (int i = 0; i < 1000; i++) /* before: register(follow(system), i) checkpoint */
        step(system);
    printf("%.17g\n", system->energy);
    return 0;
}
