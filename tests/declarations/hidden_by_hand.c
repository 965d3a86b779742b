/* Two variables of one name have registers, and one changes after its register, before it is hidden. */
#include <stdio.h>

int main(void)
{
    double x = 1, sum = 0;
#pragma cccp init
#pragma cccp register(x)
    for (int k = 0; k < 3; k++)
        x *= 1.5;
    {
        double x = 2;
        int step;
#pragma cccp register(x, sum, step)
        for (step = 0; step < 20; step++) {
#pragma cccp checkpoint every(1)
            sum += x;
            x += 0.25;
        }
        printf("%g\n", x);
#pragma cccp unregister(x)
    }
    printf("%g %g\n", x, sum);
#pragma cccp shutdown
    return 0;
}
