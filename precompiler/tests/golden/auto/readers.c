/* What reads the input, and does no more than a fixed amount of work with each number, is no place for a checkpoint beside the work. */
#include <stdio.h>
#include <stdlib.h>

enum { AGES = 13 };

struct parameters {
    double seed, rate[AGES], sum[AGES];
};

static double *field;

static void read_numbers(FILE *in, struct parameters *all, int runs)
{
    double total[2];
    for (int run = 0; run < runs; run++) { /* before: nothing */
        struct parameters *one = all + run;
        if (fscanf(in, "%lf", &one->seed) != 1)
            exit(1);
        total[0] = total[1] = 0;
        for (int age = 0; age < AGES; age++) {
            if (fscanf(in, "%lf", &one->rate[age]) != 1)
                exit(1);
            total[age % 2] += one->rate[age];
        }
        for (int age = 0; age < AGES; age++)
            one->sum[age] = total[age % 2];
    }
}

static double average(FILE *in, double *smooth, int size)
{
    double one, last = 0;
    while (fscanf(in, "%lf", &one) == 1) /* before: checkpoint */
        for (int i = 1; i < size; i++) {
            smooth[i] = 0.9 * smooth[i] + 0.1 * smooth[i - 1] + one;
            last = smooth[i];
        }
    return last;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 20, runs = argc > 2 ? atoi(argv[2]) : 20, steps = argc > 3 ? atoi(argv[3]) : 20;
    struct parameters *all = calloc(runs, sizeof *all);
    field = calloc(size, sizeof *field);
    FILE *in = fopen("numbers.txt", "r");
    if (in == NULL)
        return 1;
    read_numbers(in, all, runs);
    for (int step = 0; step < steps; step++) /* before: checkpoint */
        for (int j = 0; j < size; j++)
            for (int i = 1; i < size; i++)
                field[i] = 0.5 * field[i] + all[step % runs].rate[j % AGES] * field[i - 1];
    printf("%g %g\n", field[size - 1], average(in, field, size));
    return 0;
}
