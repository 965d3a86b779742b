/* One run unless the command line says otherwise, whose years are handed to a function by their number: they have checkpoints, too. */
#include <stdio.h>
#include <stdlib.h>

enum { PERSONS = 30, STEPS = 4, YEARS = 300 };

struct patch {
    double state[PERSONS];
    double *rates;
};

static double yearly[YEARS];

static void begin(struct patch *patch, int run)
{
    for (int i = 0; i < PERSONS; i++)
        patch->state[i] = i + run;
}

static void change(double time, struct patch *patch)
{
    for (int i = 1; i < PERSONS; i++)
        patch->state[i] += 0.1 * patch->state[i - 1] + 1e-3 * time;
}

static int lived(int year, struct patch *patch)
{
    for (int step = 0; step < STEPS; step++) {
        change(year + 0.25 * step, patch);
        for (int i = 0; i < PERSONS; i++)
            patch->state[i] *= patch->rates[year];
    }
    yearly[year] = patch->state[3];
    return 1;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1, years = argc > 2 ? atoi(argv[2]) : YEARS;
    struct patch *patch = malloc(sizeof *patch);
    double sum = 0;
    patch->rates = malloc(YEARS * sizeof *patch->rates);
    for (int i = 0; i < YEARS; i++)
        patch->rates[i] = 0.5 + i % 7 * 0.01;
    for (int run = 0; run < runs; run++) {
        begin(patch, run);
        for (int year = 0; year < years; year++)
            if (lived(year, patch) != 1)
                break;
        sum += patch->state[2];
    }
    for (int i = 0; i < years; i++)
        sum += yearly[i];
    printf("%.17g\n", sum);
    return 0;
}
