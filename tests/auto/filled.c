/* A function fills an array of its caller, element by element: at a checkpoint in it the first ones are there already, and the caller
 * reads them all. */
#include <stdio.h>

typedef struct {
    double *at;
    int length;
} vector;

static double start[40], first[40], second[40];

static double settle(double value, int turns)
{
    for (int turn = 0; turn < turns; turn++)
        value = value * 0.999 + turn * 0.001;
    return value;
}

static void fill(double *cells, int length, const double *from)
{
    int i;
    for (i = 0; i < length; i++)
        cells[i] = settle(from[i], 3000 + i);
}

static void fill_vector(vector into, const vector *from)
{
    fill(into.at, into.length, from->at);
}

int main(void)
{
    vector a = {first, 40}, b = {second, 40};
    for (int i = 0; i < 40; i++)
        start[i] = i;
    fill(first, 40, start);
    fill_vector(b, &a);
    for (int i = 0; i < 40; i++)
        printf("%.17g %.17g\n", first[i], second[i]);
    return 0;
}
