#include <stdio.h>

int run_steps(steps)
int steps;
{
    int step, sum = 0;
#pragma cccp register(step, sum)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint every(1)
        sum = sum * 3 + step;
        printf("%d\n", sum);
    }
    return sum;
}
