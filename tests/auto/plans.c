/* A wave by its spectrum: plans of FFTW are made again, in memory of FFTW, in a struct that a function sets up. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct spectrum {
    int n;
    double *field;
    fftw_complex *modes;
    fftw_plan forward, backward;
};

static void set_up(struct spectrum *s, int n)
{
    s->n = n;
    s->field = fftw_alloc_real(n);
    s->modes = fftw_malloc((n / 2 + 1) * sizeof *s->modes);
    s->forward = fftw_plan_dft_r2c_1d(n, s->field, s->modes, FFTW_ESTIMATE);
    s->backward = fftw_plan_dft_c2r_1d(n, s->modes, s->field, FFTW_ESTIMATE);
    for (int i = 0; i < n; i++)
        s->field[i] = exp(-0.01 * (i - n / 3) * (i - n / 3));
}

static void advance(struct spectrum *s, double time)
{
    fftw_execute(s->forward);
    for (int k = 0; k <= s->n / 2; k++)
        s->modes[k] *= cexp(-I * k * time) / s->n;
    fftw_execute(s->backward);
    for (int i = 0; i < s->n; i++)
        s->field[i] -= 0.01 * s->field[i] * s->field[i];
}

int main(int argc, char **argv)
{
    struct spectrum s;
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    double sum = 0.0;
    set_up(&s, 48);
    for (int step = 0; step < steps; step++) {
        advance(&s, 0.05);
        sum += s.field[step % s.n];
    }
    printf("%.17g %.17g\n", sum, s.field[7]);
    fftw_destroy_plan(s.forward);
    fftw_destroy_plan(s.backward);
    fftw_free(s.field);
    fftw_free(s.modes);
    return 0;
}
