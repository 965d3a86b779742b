/* Checkpoints in a set-up with thousands of passes, in the work that has few, and in what this run never does. */
#include <stdio.h>

int main(int argc, char **argv)
{
    double sum = 1, total = 0;
    int step, index, attempt;
#pragma cccp init
#pragma cccp register(sum, total)
    for (index = 0; index < 3000; index++) {
#pragma cccp register(index)
#pragma cccp checkpoint
        sum = 0.5 * sum + index;
    }
    for (step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        total = 0.9 * total + sum;
    }
    if (argc > 5) {
        for (attempt = 0; attempt < 3; attempt++) {
#pragma cccp register(attempt)
#pragma cccp checkpoint
            total += argv[attempt][0];
        }
    }
    printf("%.17g %.17g\n", sum, total);
#pragma cccp shutdown
    return 0;
}
