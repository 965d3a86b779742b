/* What is seen through a pointer to `const` may change all the same, and comes back; constant data that a pointer may lead
 * to, too, is never written. */
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int n;
    double scale;
    int *column;
};

static const int first[4] = {3, 1, 4, 1};
static const struct matrix fixed = {4, 0.5, (int *)first};

static double product(const struct matrix *a, const int *weight, double sum)
{
    int i;
#pragma cccp register(a->n, a->scale, a->column[a->n], weight[4], sum, i)
    for (i = 0; i < a->n; i++) {
#pragma cccp checkpoint
        sum += a->scale * a->column[i] * weight[i % 4];
    }
    return sum;
}

int main(void)
{
#pragma cccp init
    struct matrix *own = malloc(sizeof *own);
    int *weight = malloc(4 * sizeof *weight);
    double sum = 0.0;
    if (own == NULL || weight == NULL)
        return 1;
#pragma cccp register(own[1], weight[4], sum)
    own->n = 5;
    own->scale = 0.25;
    own->column = malloc(5 * sizeof *own->column);
    if (own->column == NULL)
        return 1;
#pragma cccp register(own->column[5])
    for (int i = 0; i < 5; i++)
        own->column[i] = 2 * i + 1;
    for (int i = 0; i < 4; i++)
        weight[i] = i + 7;
    sum = product(own, weight, sum);
    own->scale = 2.0;
    sum = product(own, first, sum);
    sum = product(&fixed, first, sum);
    printf("%.17g %d\n", sum, own->column[4]);
#pragma cccp shutdown
    free(own->column);
    free(own);
    free(weight);
    return 0;
}
