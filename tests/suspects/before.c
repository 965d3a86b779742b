/* Pointers that are moved before their memory by a way that no analysis follows, to where the block before it ends; the argument
 * names one of them, else all stay inside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, LENGTH = 5 };
typedef double *vector;
struct row {
    vector at;
};
static vector shared;

static void shift(struct row *row, int by)
{
    row->at -= by;
}

int main(int argc, char **argv)
{
    const char *odd = argc > 1 ? argv[1] : "";
#define ODD(name) (strcmp(odd, name) == 0)
    vector *rows = malloc(ROWS * sizeof *rows);
    struct row *moved = malloc(ROWS * sizeof *moved);
    for (int i = 0; i < ROWS; i++) {
        rows[i] = malloc(LENGTH * sizeof **rows);
        moved[i].at = rows[i];
        for (int k = 0; k < LENGTH; k++)
            rows[i][k] = i + k;
    }
    vector one = rows[ROWS - 4], end = rows[ROWS - 5] + LENGTH, sum = calloc(1, sizeof *sum);
    int back = argc > 2 ? atoi(argv[2]) : 1;
    shared = rows[ROWS - 5];
    if (ODD("member"))
        shift(&moved[ROWS - 3], back);
    one -= ODD("local") * back;
    shared -= ODD("static") * back;
    for (int step = 0; step < 10; step++) {
#pragma cccp checkpoint
        for (int i = 0; i < ROWS; i++)
            for (int k = 1; k < LENGTH; k++)
                *sum += moved[i].at[k] += step + rows[i][k - 1];
        one[1] += *sum;
        shared[1] += end[-1];
        printf("%d %g\n", step, *sum);
    }
    if (ODD("member"))
        moved[ROWS - 3].at += back;
    one += ODD("local") * back;
    shared += ODD("static") * back;
    printf("%g %g %g %g\n", *sum, one[0], shared[0], moved[ROWS - 3].at[0]);
    return 0;
}
