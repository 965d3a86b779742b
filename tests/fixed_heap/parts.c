/* A union of pointers in an array of structs, and numbers behind a struct in one block. */
#include <stdio.h>
#include <stdlib.h>

struct part {
    int is_matrix;
    int size;
    union {
        double *vector;
        double *matrix;
        long empty;
    } data;
};

struct row {
    int count;
    double *values;
};

int main(void)
{
    struct part *parts = malloc(5 * sizeof *parts);
    struct row *row = malloc(sizeof *row + 8 * sizeof(double));
    double sum = 0;
    int step, i, k;
    for (i = 0; i < 5; i++) {
        parts[i].is_matrix = i % 2;
        parts[i].size = 4 + i;
        parts[i].data.vector = calloc(parts[i].size * parts[i].size, sizeof(double));
    }
    row->count = 8;
    row->values = (double *)(row + 1);
    for (k = 0; k < 8; k++)
        row->values[k] = k;
    for (step = 0; step < 20; step++) {
        for (i = 0; i < 5; i++)
            for (k = 0; k < parts[i].size * (parts[i].is_matrix ? parts[i].size : 1); k++)
                parts[i].data.matrix[k] = 0.5 * parts[i].data.matrix[k] + row->values[k % 8];
        for (k = 0; k < row->count; k++)
            row->values[k] += 0.125 * step;
    }
    for (i = 0; i < 5; i++)
        for (k = 0; k < parts[i].size; k++)
            sum += parts[i].data.vector[k];
    printf("%.17g\n", sum);
    return 0;
}
