/* Two places for checkpoints: between the passes little is registered, within them much. */
#include <stdio.h>
#include <stdlib.h>

static double worked(int pass, double sum)
{
    double much[1000];
    int i;
#pragma cccp register(much, sum, pass)
    for (i = 0; i < 1000; i++)
        much[i] = sum + i * 0.001;
#pragma cccp checkpoint
    for (i = 0; i < 1000; i++)
        sum += much[i] / (1000.0 + pass);
    return sum;
}

int main(int argc, char **argv)
{
    int pass, passes = argc > 1 ? atoi(argv[1]) : 100;
    double sum = 1;
#pragma cccp init
#pragma cccp register(pass, sum)
    for (pass = 1; pass <= passes; pass++) {
#pragma cccp checkpoint
        sum = worked(pass, sum) * 0.5;
    }
#pragma cccp shutdown
    printf("%.17g\n", sum);
    return 0;
}
