/* Two plans for the same arrays take turns: which one is the first at a checkpoint is the work of all passes. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>

enum { SIZE = 64 };

int main(void)
{
    double total = 0;
    fftw_complex *in = fftw_alloc_complex(SIZE), *out = fftw_alloc_complex(SIZE);
    for (int k = 0; k < SIZE; k++) {
        in[k][0] = sin(k);
        in[k][1] = out[k][0] = out[k][1] = 0;
    }
    fftw_plan next = fftw_plan_dft_1d(SIZE, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan other = fftw_plan_dft_1d(SIZE / 2, in, out, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (int step = 0; step < 30; step++) {
        fftw_execute(next);
        for (int k = 0; k < SIZE; k++)
            in[k][0] += 0.01 * out[k][0];
        for (int i = 0; i < 2000; i++)
            total += sin(i + out[3][0]);
        fftw_plan done = next;
        next = other;
        other = done;
    }
    printf("%.17g\n", total);
    fftw_destroy_plan(next);
    fftw_destroy_plan(other);
    fftw_free(in);
    fftw_free(out);
    return 0;
}
