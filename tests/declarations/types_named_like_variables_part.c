/* The same types in another file: they are spelt alike in both. */
#include <stdio.h>

typedef struct { int n; double *weight; } network;

double norm(const network *one)
{
    double sum = 0;
    for (int i = 0; i < one->n; i++)
        sum += one->weight[i] * one->weight[i];
    return sum;
}
