/* Plans of FFTW come back with registers, and what the planner goes by is set again. */
#include <stdio.h>
#include <stdlib.h>

typedef struct fftw_plan_s *fftw_plan;
void *fftw_malloc(size_t n);
double *fftw_alloc_real(size_t n);
void fftw_free(void *p);
int fftw_init_threads(void);
void fftw_plan_with_nthreads(int nthreads);
fftw_plan fftw_plan_r2r_1d(int n, double *in, double *out, int kind, unsigned flags);
void fftw_execute(const fftw_plan plan);
void fftw_destroy_plan(fftw_plan plan);

struct transform {
    int n;
    double *field, *modes;
    fftw_plan forward;
};

static void set_up(struct transform *t, int n)
{
    t->n = n;
    t->field = fftw_alloc_real(n); /* nothing is added here */
    t->modes = fftw_malloc(n * sizeof *t->modes);
    t->forward = fftw_plan_r2r_1d(n, t->field, t->modes, 5, 1U << 6); /* nothing is added here */
    for (int i = 0; i < n; i++)
        t->field[i] = i % 7; /* nothing is added here */
}

static double norm(const double *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i] * values[i];
    return sum;
}

int main(void)
{
    struct transform t;
    double sum = 0;
    fftw_init_threads(); /* before: execute on restart */
    fftw_plan_with_nthreads(2);
    set_up(&t, 64);
    for (int step = 0; step < 1000; step++) { /* before: register(t, t.field[64], t.modes[64], sum, step) checkpoint */
        fftw_execute(t.forward);
        for (int i = 0; i < t.n; i++)
            t.field[i] = 0.5 * t.field[i] + 0.01 * t.modes[i];
        sum += norm(t.field, t.n) + norm(t.modes, t.n);
    }
    printf("%g\n", sum);
    fftw_destroy_plan(t.forward);
    fftw_free(t.field);
    fftw_free(t.modes);
    return 0;
}
