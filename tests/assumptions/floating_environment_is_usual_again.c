// flags -lm
// auto resumes 7
// hand resumes 7
/* What was set for a while, and what is raised on the way back, is not in force after a restart either. */
#include <fenv.h>
#include <stdio.h>

static double careful(double x)
{
    fenv_t before;
    volatile double y = x;
    feholdexcept(&before);
    fesetround(FE_DOWNWARD);
    y = y / 0.0 + y / 3;
    fesetenv(&before);
    return y > 1;
}

int main(void)
{
    double sum = 0;
    int i;
#pragma cccp init
    sum = careful(2);
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum += i;
    }
    printf("%a %d %d\n", sum, fegetround() == FE_TONEAREST, fetestexcept(FE_DIVBYZERO | FE_INVALID));
#pragma cccp shutdown
    return 0;
}
