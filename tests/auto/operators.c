/* Operators that a function computes in a loop of its own, called where they are declared; later, pointers lead to them. */
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows;
    double *values;
};

struct context {
    const struct matrix *first, *second;
    double factor;
};

static struct matrix make(int rows, double factor, int sweeps)
{
    struct matrix made;
    made.rows = rows;
    made.values = malloc(rows * sizeof *made.values);
    if (!made.values)
        exit(1);
    for (int k = 0; k < rows; k++)
        made.values[k] = factor * k;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int k = 1; k + 1 < rows; k++)
            made.values[k] += factor * (made.values[k - 1] + made.values[k + 1]) / (sweep + 1);
    return made;
}

static double apply(const struct matrix *matrix, double *field)
{
    double sum = 0;
    for (int k = 0; k < matrix->rows; k++) {
        field[k] += 0.001 * matrix->values[k] * field[matrix->rows - 1 - k];
        sum += field[k];
    }
    return sum;
}

static double step(const struct context *context, double *field)
{
    return apply(context->first, field) - context->factor * apply(context->second, field);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 30, sweeps = argc > 2 ? atoi(argv[2]) : 20;
    struct matrix first = make(40, 0.5, sweeps);
    struct matrix second = make(40, 0.25, sweeps);
    struct context context = {&first, &second, 0.125};
    double *field = malloc(40 * sizeof *field);
    if (!field)
        return 1;
    for (int k = 0; k < 40; k++)
        field[k] = k % 7;
    double sum = 0;
    for (int t = 0; t < steps; t++)
        sum += step(&context, field);
    printf("%.17g %.17g\n", sum, field[17]);
    free(first.values);
    free(second.values);
    free(field);
    return 0;
}
