/* A program without marks: a field is filled with a speed in a few long passes, and then followed in many short ones. */
#include <stdio.h>
#include <stdlib.h>

#define N 2000

static double field[N];

static void fill(int passes)
{
    double speed[N] = {0};
    for (int pass = 0; pass < passes; pass++)
        for (int round = 0; round < 400; round++)
            for (int i = 1; i < N; i++)
                field[i] = 0.5 * (field[i] + field[i - 1]) + (speed[i] = 0.25 * speed[i] + pass);
}

static double follow(int passes, double sum)
{
    for (int pass = 0; pass < passes; pass++)
        for (int i = 1; i < N; i++)
            for (int round = 0; round < 8; round++)
                sum += field[i] / (i + pass + round);
    return sum;
}

int main(int argc, char **argv)
{
    int passes = argc > 1 ? atoi(argv[1]) : 200;
    fill(10);
    printf("%.17g\n", follow(passes, 1));
    return 0;
}
