/* rounds: threads do unequal numbers of steps, then a dynamic loop, then a barrier, then a single */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define N 64
static double a[N], b[N];
static double sums[64];
static int rounds = 9;
int main(void)
{
#pragma cccp init
    for (int i = 0; i < N; i++) a[i] = i * 0.5;
    double total = 0;
#pragma cccp register(a, b, sums, rounds, total)
#pragma omp parallel
    {
        int me = omp_get_thread_num(), r, k;
        double own = me;
#pragma cccp register(me, r, k, own)
        for (r = 0; r < rounds; r++) {
            for (k = 0; k < 3 + (r + me) % 3; k++) {
#pragma cccp checkpoint
                own = own * 1.25 + k - r;
                if (own > 1e6) own *= 1e-6;
            }
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < N; i++)
                b[i] = a[i] * 0.5 + r;
#pragma omp single
            {
                double *p = a;
                for (int i = 0; i < N; i++) p[i] += b[(i + 1) % N] * 0.125;
            }
#pragma omp sections nowait
            {
#pragma omp section
                b[0] += 1;
#pragma omp section
                b[1] += 2;
            }
#pragma omp for reduction(+ : total)
            for (int i = 0; i < N; i++)
                total += (int)a[i];
            if (me == 1)
#pragma omp critical
                sums[1] += r;
#pragma omp barrier
            sums[me] += own;
        }
    }
    double t = total;
    for (int i = 0; i < 64; i++) t += sums[i];
    for (int i = 0; i < N; i++) t += a[i] + b[i];
    printf("%.17g\n", t);
#pragma cccp shutdown
    return 0;
}
