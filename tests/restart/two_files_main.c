/* A program of two files that call each other; the checkpoint lies in the other one. */
#include <stdio.h>

double evolve(double *field, int n, int steps);

/* Static functions of this name are in both files. */
static double bent(double value)
{
    return value * 0.5 - 1.0;
}

double (*bend)(double) = bent;
extern double (*bends[2])(double);

double scale_of(int step)
{
    return 1.0 / (step + 1);
}

int main(void)
{
#pragma cccp init
    double field[6] = {1, 2, 3, 4, 5, 6}, sum = 0.0;
    int round;
#pragma cccp register(field, sum, round, bend, bends)
    for (round = 0; round < 3; round++)
        sum += evolve(field, 6, round + 2);
    sum += bend(sum) + bends[0](sum) + bends[1](sum);
    printf("%.17g %.17g\n", sum, field[3]);
#pragma cccp shutdown
    return 0;
}
