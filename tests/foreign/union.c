/* A union: only the program knows what it holds, so it cannot be converted. */
#include <stdio.h>

union either {
    double number;
    long count;
};

int main(void)
{
#pragma cccp init
    union either either = {.number = 1.5};
    int step;

#pragma cccp register(either, step)
    for (step = 0; step < 3; step++) {
#pragma cccp checkpoint
        either.number *= 2.0;
    }
    printf("%g\n", either.number);
#pragma cccp shutdown
    return 0;
}
