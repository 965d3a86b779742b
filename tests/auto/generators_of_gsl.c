/* Generators of GSL wherever programs keep them: in an array, in a list, in a struct, in an argument; copied, cloned and freed. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 3 };

struct walker {
    struct walker *next;
    gsl_rng *steps;
    double place;
};

struct model {
    gsl_rng *noise;
    double values[10];
};

static struct walker *start(int count)
{
    struct walker *walkers = NULL;
    for (int i = 0; i < count; i++) {
        struct walker *one = malloc(sizeof *one);
        one->steps = gsl_rng_alloc(gsl_rng_gfsr4);
        gsl_rng_set(one->steps, 40 + i);
        one->place = 0;
        one->next = walkers;
        walkers = one;
    }
    return walkers;
}

static struct walker *stop_first(struct walker *walkers)
{
    struct walker *rest = walkers->next;
    gsl_rng_free(walkers->steps);
    free(walkers);
    return rest;
}

static double draw(gsl_rng *from, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += gsl_ran_gaussian(from, 1.5) + gsl_rng_uniform_int(from, 9);
    return sum;
}

static double advance(struct model *model, gsl_rng **kinds, gsl_rng *copy, int steps)
{
    struct walker *walkers = start(4);
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < KINDS; i++)
            sum = 0.9 * sum + draw(kinds[i], 1 + (i + step) % 4);
        for (struct walker *one = walkers; one; one = one->next) {
            one->place += gsl_ran_flat(one->steps, -1, 1);
            sum += one->place;
        }
        if (step == 5)
            gsl_rng_memcpy(copy, kinds[1]);
        if (step == 12)
            walkers = stop_first(walkers);
        for (int i = 0; i < 10; i++)
            model->values[i] = 0.5 * model->values[i] + gsl_rng_uniform(model->noise);
        sum += draw(copy, 1) + model->values[step % 10];
    }
    return sum;
}

int main(void)
{
    const gsl_rng_type *const types[KINDS] = { gsl_rng_taus2, gsl_rng_ranlxd2, gsl_rng_mt19937 };
    gsl_rng **kinds = malloc(KINDS * sizeof *kinds);
    struct model model = { gsl_rng_alloc(gsl_rng_ranlux389), { 0 } };
    for (int i = 0; i < KINDS; i++) {
        kinds[i] = gsl_rng_alloc(types[i]);
        gsl_rng_set(kinds[i], 7 + i);
    }
    gsl_rng *copy = gsl_rng_clone(kinds[1]);
    printf("%.17g\n", advance(&model, kinds, copy, 20));
    gsl_rng_free(copy);
    return 0;
}
