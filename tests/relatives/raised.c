/* What was raised is asked for, in a file that includes <math.h>: nobody has stored a sign in `signgam`. link: -lm */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
int main(void)
{
    volatile double zero = 0, one = 1;
    double sum = 0;
    long seen = 0;
    for (int i = 0; i < 10; i++) {
        for (int k = 1; k < 500; k++) sum += sqrt(k) / (i + k);
        if (i == 2) { volatile double q = one / zero; (void)q; }
        seen = seen * 3 + (fetestexcept(FE_DIVBYZERO) != 0);
        if (i == 6) feclearexcept(FE_ALL_EXCEPT);
    }
    printf("%ld %.17g\n", seen, sum);
    return 0;
}
