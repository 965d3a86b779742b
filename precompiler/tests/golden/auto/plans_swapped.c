/* A plan holds the addresses of its arrays, and comes back with them, though pointers to these change places. */
#include <stdio.h>
#include <stdlib.h>

typedef struct fftw_plan_s *fftw_plan;
double *fftw_alloc_real(size_t n);
fftw_plan fftw_plan_r2r_1d(int n, double *in, double *out, int kind, unsigned flags);
void fftw_execute(const fftw_plan plan);

int main(void)
{
    double *now = fftw_alloc_real(32), *next = fftw_alloc_real(32);
    fftw_plan even = fftw_plan_r2r_1d(32, now, next, 5, 1U << 6);
    fftw_plan odd = fftw_plan_r2r_1d(32, next, now, 5, 1U << 6);
    for (int i = 0; i < 32; i++)
        now[i] = i;
    for (int step = 0; step < 1000; step++) { /* before: register(even, odd, now[32], next[32], step) checkpoint */
        fftw_execute(step % 2 ? odd : even);
        double *swap = now;
        now = next;
        next = swap;
    }
    printf("%g\n", now[3]);
    return 0;
}
