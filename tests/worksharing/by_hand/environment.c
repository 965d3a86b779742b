/* The environment decides how threads share out a loop, and the file does not include <omp.h>. */
#include <stdio.h>

static double field[90];

int main(void)
{
    double sum = 0;
    int step;
#pragma cccp init
#pragma cccp register(field, sum)
    for (step = 0; step < 3; step++) {
#pragma cccp register(step)
#pragma omp parallel for schedule(runtime)
        for (int i = 0; i < 90; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
            field[i] += i * 0.1 + step;
        }
    }
    for (int i = 0; i < 90; i++)
        sum += field[i];
    printf("%.17g\n", sum);
#pragma cccp shutdown
    return 0;
}
