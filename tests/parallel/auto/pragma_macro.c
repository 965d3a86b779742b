/* Directives of OpenMP that macros make: those of a checkpoint go above the macro, not between it and its statement. */
#include <math.h>
#include <stdio.h>
#define OMP(words) _Pragma(#words)
#define PARALLEL OMP(omp parallel)
#define MASTER OMP(omp master)
#define N 3000
static double u[N], sum;
int main(void)
{
    PARALLEL
    MASTER
    {
        for (int i = 0; i < N; i++)
            u[i] = i;
    }
    for (int step = 0; step < 20; step++) {
        PARALLEL
        MASTER
        {
            OMP(omp taskloop shared(u))
            for (int i = 0; i < N; i++)
                u[i] = sin(u[i] + step + i * 0.01);
            OMP(omp taskwait)
        }
        sum += u[step];
    }
    printf("%.17g\n", sum + u[N - 1]);
    return 0;
}
