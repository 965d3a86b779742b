/* A checkpoint that is taken by calls, and one in a function that is taken by time. */
#include <stdio.h>
#include <stdlib.h>

static double sum;

static void step(int pass)
{
    sum = sum * 1.0009765625 + pass;
#pragma cccp checkpoint
}

int main(int argc, char **argv)
{
    int pass, passes = argc > 1 ? atoi(argv[1]) : 100;
#pragma cccp init
#pragma cccp register(pass, sum)
    for (pass = 1; pass <= passes; pass++) {
        step(pass);
#pragma cccp checkpoint every(passes > 50 ? 40 : 4)
    }
#pragma cccp shutdown
    printf("%.17g\n", sum);
    return 0;
}
