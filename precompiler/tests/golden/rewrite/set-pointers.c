/* What a block in another function sets on a restart stays. */
#include <stdlib.h>

static void make(double **block, int n)
{
#pragma cccp execute on restart
    *block = calloc(n, sizeof **block);
#pragma cccp end execute
}

int main(void)
{
    double *made, sum = 0;
#pragma cccp init
    make(&made, 10);
#pragma cccp register(sum, made[10])
    for (int step = 0; step < 5; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        sum += made[step]++;
    }
#pragma cccp shutdown
    return sum > 0;
}
