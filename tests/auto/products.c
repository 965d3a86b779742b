/* Operators that long calls make, one after the other, and to which a structure of the time steps points: while one is made, those
 * before it count, and those after it do not exist. */
#include <stdio.h>
#include <stdlib.h>

struct operator {
    double *values;
    int *column;
    int rows;
};

struct stepper {
    struct operator *first, *second;
    double *work;
};

static struct operator empty(int rows)
{
    struct operator made;
    made.values = malloc(rows * sizeof *made.values);
    made.column = malloc(rows * sizeof *made.column);
    made.rows = rows;
    if (made.values == NULL || made.column == NULL)
        exit(1);
    return made;
}

static struct operator shifted(int rows, int by)
{
    struct operator made = empty(rows);
    for (int i = 0; i < rows; i++) {
        made.values[i] = 1.0 / (i + by + 1);
        made.column[i] = (i + by) % rows;
    }
    return made;
}

static struct operator product(struct operator left, struct operator right)
{
    struct operator made = empty(left.rows);
    for (int i = 0; i < left.rows; i++) {
        made.column[i] = right.column[left.column[i]];
        made.values[i] = 0;
        for (int j = 0; j < right.rows; j++)
            for (int k = 1; k < 400; k++)
                made.values[i] += left.values[i] * right.values[j] / (k + j);
    }
    return made;
}

static void times(struct operator by, const double *from, double *to)
{
    for (int i = 0; i < by.rows; i++)
        to[i] = by.values[i] * from[by.column[i]];
}

static void step(double *state, struct stepper *with)
{
    times(*with->first, state, with->work);
    times(*with->second, with->work, state);
    for (int i = 0; i < with->first->rows; i++)
        state[i] = 0.5 * state[i] + 1;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 12;
    struct operator left = shifted(rows, 1), right = shifted(rows, 3);
    struct operator both = product(left, right);
    struct operator back = product(right, both);
    struct stepper stepper = {&both, &back, calloc(rows, sizeof(double))};
    double *state = calloc(rows, sizeof *state);
    for (int t = 0; t < 40; t++) {
        times(both, state, stepper.work);
        step(state, &stepper);
    }
    printf("%.17g %.17g\n", state[rows - 1], back.values[1]);
    return 0;
}
