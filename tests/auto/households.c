/* Agents in households of a table: its rows are blocks of their own, in a structure beside names from the command line, and beside a
 * list of visits that is empty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGES = 4, WEEK = 7, NAME = 40 };

struct visit {
    int *houses;
    double risk;
};

struct parameters {
    char name[NAME];
    long seed;
    int households;
    int **members;
    double ***risk;
    int visit_count;
    struct visit *visits;
};

struct population {
    long count;
    int *age;
    long *house;
    double *ill;
};

static long drawn(struct parameters *parameters)
{
    parameters->seed = (parameters->seed % 2147483648 * 69069 + 12345) % 2147483648;
    return parameters->seed;
}

static void read_arguments(struct parameters *parameters, int argc, char **argv)
{
    char name[NAME / 2];
    strncpy(name, argc > 1 ? argv[1] : "nobody", sizeof name - 1);
    name[sizeof name - 1] = 0;
    strncpy(parameters->name, name, sizeof parameters->name - 1);
    for (const char *from = parameters->name; *from; from++)
        parameters->seed = parameters->seed * 31 + *from;
}

static void fill_table(struct parameters *parameters)
{
    parameters->visits = malloc(parameters->visit_count * sizeof *parameters->visits);
    for (int i = 0; i < parameters->visit_count; i++) {
        parameters->visits[i].houses = calloc(2, sizeof(int));
        parameters->visits[i].risk = i;
    }
    parameters->members = calloc(parameters->households, sizeof(int *));
    parameters->risk = calloc(WEEK, sizeof(double **));
    for (int i = 0; i < parameters->households; i++) {
        parameters->members[i] = calloc(AGES, sizeof(int));
        for (int age = 0; age < AGES; age++)
            parameters->members[i][age] = drawn(parameters) % 3;
    }
    for (int weekday = 0; weekday < WEEK; weekday++) {
        parameters->risk[weekday] = calloc(AGES, sizeof(double *));
        for (int age = 0; age < AGES; age++) {
            parameters->risk[weekday][age] = calloc(AGES, sizeof(double));
            for (int other = 0; other < AGES; other++)
                parameters->risk[weekday][age][other] = 0.01 * (age + 1) * (other + weekday);
        }
    }
}

static struct population *settle(struct parameters *parameters)
{
    struct population *all = calloc(1, sizeof *all);
    for (int i = 0; i < parameters->households; i++)
        for (int age = 0; age < AGES; age++)
            all->count += parameters->members[i][age];
    all->age = calloc(all->count, sizeof *all->age);
    all->house = calloc(all->count, sizeof *all->house);
    all->ill = calloc(all->count, sizeof *all->ill);
    long next = 0;
    for (int i = 0; i < parameters->households; i++)
        for (int age = 0; age < AGES; age++)
            for (int k = 0; k < parameters->members[i][age]; k++) {
                all->age[next] = age;
                all->house[next] = i;
                next++;
            }
    return all;
}

static void day(struct parameters *parameters, struct population *all, int today)
{
    double **risk = parameters->risk[today % WEEK];
    for (int i = 0; i < 20; i++) {
        long one = drawn(parameters) % all->count, other = drawn(parameters) % all->count;
        all->ill[one] += risk[all->age[one]][all->age[other]] * (1 + all->ill[other]);
        if (all->house[one] == all->house[other])
            all->ill[other] += 0.5;
    }
    for (int i = 0; i < parameters->visit_count; i++)
        all->ill[parameters->visits[i].houses[0]] += parameters->visits[i].risk;
}

int main(int argc, char **argv)
{
    struct parameters *parameters = calloc(1, sizeof *parameters);
    parameters->households = 15;
    parameters->visit_count = argc > 2 ? atoi(argv[2]) : 0;
    read_arguments(parameters, argc, argv);
    fill_table(parameters);
    struct population *all = settle(parameters);
    for (int t = 0; t < 30; t++)
        day(parameters, all, t);
    double sum = 0;
    for (long i = 0; i < all->count; i++)
        sum += all->ill[i];
    printf("%s %.17g\n", parameters->name, sum);
    return 0;
}
