/* The names of <math.h> are macros of <tgmath.h>: what stands behind them keeps nothing between calls. */
#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>

static int negative;

static double complex turned(double complex x)
{
    if (fabs(cimag(x)) < DBL_EPSILON && creal(x) < 0)
        negative++;
    return exp(-fabs(creal(x))) * sqrt(x) + cos(x * 0.01) - lgamma(fabs(creal(x)) + 1.5);
}

int main(void)
{
    double complex *u = calloc(64, sizeof *u);
    int exponent;
    double part = frexp(3.0, &exponent);

    for (int step = 0; step < 8; step++)
        for (int i = 0; i < 64; i++)
            u[i] = turned(u[i] * 0.25 + i - 8 + exponent * part);
    for (int i = 0; i < 64; i += 9)
        printf("%.17g %.17g\n", creal(u[i]), cimag(u[i]));
    printf("%d\n", negative);
    free(u);
    return 0;
}
