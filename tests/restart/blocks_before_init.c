/* What was allocated before `init` stays where it is: other pointers, in no register, lead there. */
#include <stdio.h>
#include <stdlib.h>

struct part {
    double *values;
    struct part *next;
};

int main(void)
{
    struct part *first = NULL, *second;
    double **rows = malloc(3 * sizeof *rows), *row, *values;
    int *grown = malloc(sizeof *grown), step;
    for (int i = 0; i < 3; i++)
        rows[i] = calloc(4, sizeof **rows);
    row = rows[1];
    for (int i = 0; i < 2; i++) {
        struct part *one = malloc(sizeof *one);
        one->values = calloc(2, sizeof *one->values);
        one->next = first;
        first = one;
    }
    second = first->next;
    values = second->values;
#pragma cccp init
#pragma cccp register(step, follow(rows), grown[])
#pragma cccp register(follow(first))
    for (step = 1; step < 6; step++) {
        grown = realloc(grown, (size_t)step * sizeof *grown);
        grown[step - 1] = step;
        rows[1][2] += step;
        second->values[1] += step / 2.0;
#pragma cccp checkpoint
        printf("%d %g %g %g %g %d\n", step, row[2], rows[1][2], values[1], first->next->values[1], grown[step / 2]);
        row[2] += 1;
        values[1] += 1;
    }
    for (int i = 0; i < 3; i++)
        free(rows[i]);
    free(rows);
    free(grown);
#pragma cccp shutdown
    return 0;
}
