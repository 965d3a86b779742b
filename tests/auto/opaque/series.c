#include "series.h"

#include <stdlib.h>
#include <string.h>

struct series {
    int length;
    double *values;
    char *name;
    series before;
};

series series_new(int length, const char *name)
{
    series one = calloc(1, sizeof *one);
    one->length = length;
    one->values = malloc(length * sizeof *one->values);
    one->name = malloc(strlen(name) + 1);
    strcpy(one->name, name);
    for (int i = 0; i < length; i++)
        one->values[i] = i % 7;
    one->before = 0;
    if (length > 8)
        one->before = series_new(length / 2, "before");
    return one;
}

void series_relax(series first, int steps)
{
    for (int step = 0; step < steps; step++) {
        for (series at = first; at; at = at->before) {
            for (int i = 1; i + 1 < at->length; i++)
                at->values[i] = (at->values[i - 1] + at->values[i] + at->values[i + 1]) / 3 + step % 3;
        }
    }
}

double series_sum(series one)
{
    double sum = 0;
    for (series at = one; at; at = at->before) {
        for (int i = 0; i < at->length; i++)
            sum += at->values[i];
    }
    return sum;
}

const char *series_name(series one)
{
    return one->before ? one->before->name : one->name;
}
