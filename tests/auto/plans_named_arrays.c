/* Plans that are executed on arrays which the call names: which array is which does not matter to them, so these may change places. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48

static fftw_plan plans[2];

static void set_up(double *in, double *out)
{
    plans[0] = fftw_plan_r2r_1d(N, in, out, FFTW_R2HC, FFTW_ESTIMATE);
    plans[1] = fftw_plan_r2r_1d(N, in, out, FFTW_HC2R, FFTW_ESTIMATE);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    double sum = 0.0, *in = fftw_alloc_real(N), *out = fftw_alloc_real(N);
    set_up(in, out);
    double *now = in, *next = out;
    for (int i = 0; i < N; i++)
        now[i] = exp(-0.01 * (i - N / 3) * (i - N / 3));
    for (int step = 0; step < steps; step++) {
        fftw_execute_r2r(plans[step % 2], now, next);
        for (int k = 0; k < N; k++)
            next[k] = sin(next[k]) + 0.001 * k;
        double *swap = now;
        now = next;
        next = swap;
        sum += now[step % N];
    }
    printf("%.17g %.17g\n", sum, now[7]);
    return 0;
}
