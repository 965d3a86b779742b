/* A plan that was made for arrays which are gone: only calls that name their arrays execute it. */
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 32 };

static fftw_plan make(void)
{
    fftw_complex *from = fftw_alloc_complex(LENGTH), *to = fftw_alloc_complex(LENGTH);
    fftw_plan plan = fftw_plan_dft_1d(LENGTH, from, to, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_free(from);
    fftw_free(to);
    return plan;
}

static void advance(fftw_plan plan, fftw_complex *now, fftw_complex *next, int steps)
{
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        fftw_execute_dft(plan, now, next);
        for (int i = 0; i < LENGTH; i++)
            now[i] = next[i] / 6 + step;
        fftw_complex *swap = now;
        now = next;
        next = swap;
        sum = 0.5 * sum + creal(now[1]) + cimag(next[2]);
    }
    printf("%.17g\n", sum);
}

int main(void)
{
    fftw_complex *now = fftw_alloc_complex(LENGTH), *next = fftw_alloc_complex(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
        now[i] = i + I;
        next[i] = 1;
    }
    advance(make(), now, next, 20);
    return 0;
}
