/* A rod that cools down. The test replaces words of this text. */
#include "rate.h"
#include <assert.h>
#include <stdio.h>

double cooled(double warm);

int main(void)
{
    double warm[4] = {4, 3, 2, 1};
    int step, i;
#pragma cccp init
#pragma cccp register(step, warm)
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint every(1)
        for (i = 0; i < 4; i++)
            warm[i] = cooled(warm[i]) * RATE;
        assert(warm[0] >= 0);
        if (warm[1] < 0)
            printf("%s %d %s %s\n", __FILE__, __LINE__, __DATE__, __TIME__);
    }
    printf("%.17g\n", warm[0] + warm[1]);
#pragma cccp shutdown
    return 0;
}
