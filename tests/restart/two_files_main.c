/* A program of two files that call each other; the checkpoint lies in the other one. */
#include <stdio.h>

double evolve(double *field, int n, int steps);

double scale_of(int step)
{
    return 1.0 / (step + 1);
}

int main(void)
{
#pragma cccp init
    double field[6] = {1, 2, 3, 4, 5, 6}, sum = 0.0;
    int round;
#pragma cccp register(field, sum, round)
    for (round = 0; round < 3; round++)
        sum += evolve(field, 6, round + 2);
    printf("%.17g %.17g\n", sum, field[3]);
#pragma cccp shutdown
    return 0;
}
