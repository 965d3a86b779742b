/* What no run repeats, and a restart need not repeat: the first number of an array that counts from 1, in memory that somebody else
 * had before; what is behind the end of a text; and the second of the clock at the beginning. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

struct parameters {
    char name[64];
    double rate;
};

int main(void)
{
    struct parameters parameters;
    struct timeval begun;
    double *numbers, sum = 0.0;
    void **old;
    int k, step;

    old = malloc(101 * sizeof(double));
    for (k = 0; k < 101; k++)
        old[k] = old;
    free(old);
    numbers = malloc(101 * sizeof(double));
    for (k = 1; k <= 100; k++)
        numbers[k] = k;
    strcpy(parameters.name, "heat");
    parameters.rate = 0.5;
    gettimeofday(&begun, NULL);
#pragma cccp init
#pragma cccp register(step, sum, parameters, begun, numbers[101])
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        for (k = 1; k <= 100; k++)
            sum += parameters.rate * (numbers[k] += 1.0 / (step + 1));
    }
#pragma cccp shutdown
    printf("%s %.17g %d\n", parameters.name, sum, begun.tv_sec > 0);
    return 0;
}
