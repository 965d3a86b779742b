/* Each of these is read after the checkpoint and registered nowhere, but for those whose names begin with k: these are
 * registered, or keep their values without. */
#include <stdio.h>

#define CELLS 3
typedef struct {
    int number;
    double *place;
} part;

double visible = 1;
static float hidden[CELLS];
static double kept[CELLS];
static const double k_factor = 3;
static int k_before;

static int *inner(int from, double k_given)
{
    static int counted;
    static const int k_step = 4;
    double local = from;
    part record = {from, &visible};
    double *k_pointer = &visible;
    const int k_constant = 5;
    counted = from;
    hidden[1] = from;
#pragma cccp checkpoint
    printf("inner %d %g %d %d\n", counted, local, record.number, record.place == &visible);
    printf("kept %g %d %d %d %d\n", k_given, k_constant, k_step, from, k_pointer == &visible);
    return 0;
}

int main(void)
{
    double k_table[2] = {1, 2}, scalar, table[CELLS];
    k_before = 6;
#pragma cccp init
    int step;
    scalar = 1;
    visible = 2;
    for (step = 0; step < CELLS; step++)
        table[step] = kept[step] = step;
#pragma cccp register(kept)
    inner(7, k_table[1]);
    printf("outer %g %g %g %g\n", scalar, table[1], visible, (double)hidden[1]);
    printf("kept %g %g %g %d\n", k_table[0], kept[2], k_factor, k_before);
    return 0;
}
