#include "steps.h"

static void tell(int now) { printf("%d, line %d of %s\n", now, __LINE__, __FILE__); }

static void run(double *a, float *b, int n)
{
    int now;
#pragma cccp register(now, steps_double, steps_float)
    for (now = 0; now < STEPS; now++) {
#pragma cccp checkpoint
        step_double(a, n);
        step_float(b, n);
    }
    tell(steps_double + steps_float);
}
