/* Prints where a variable is, which is another place in each run. */
#include <stdio.h>

int main(void)
{
#pragma cccp init
    static double u[16];
    int step;
#pragma cccp register(u, step)
    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        for (int i = 0; i < 16; i++)
            u[i] += i * 0.5;
    }
    printf("%p %g\n", (void *)u, u[3]);
#pragma cccp shutdown
    return 0;
}
