/* The same by hand: the checkpoint is in a function that no file declares where it is called. */
#include <stdio.h>

int main(void)
{
    int steps = 14;
#pragma cccp init
    printf("%d\n", 1 + run_steps(steps) * 2);
#pragma cccp shutdown
    return 0;
}
