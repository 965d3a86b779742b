/* Files with scratch memory and sizes of the same names. */
#include <stdio.h>
#include "flow.h"

int main(void)
{
    double u[32];
    int i, step;
    flow_begin(32);
    heat_begin(16);
    for (i = 0; i < 32; i++)
        u[i] = i * 0.25;
    for (step = 0; step < 12; step++) {
        flow_step(u, step);
        heat_step(u, step);
    }
    for (i = 0; i < 32; i++)
        printf("%.17g\n", u[i]);
    return 0;
}
