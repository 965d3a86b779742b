/* Checkpoints at two places, which it passes unequally often: after a restart each place counts its calls anew. */
#include <stdio.h>

int main(void)
{
    double sum = 1, other = 2;
    int step, inner;
#pragma cccp init
#pragma cccp register(sum, other)
    for (step = 0; step < 150; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        sum = 0.5 * sum + step;
        for (inner = 0; inner < step % 5; inner++) {
#pragma cccp register(inner)
#pragma cccp checkpoint
            other = 0.25 * other + sum - inner;
        }
    }
    printf("%.17g %.17g\n", sum, other);
#pragma cccp shutdown
    return 0;
}
