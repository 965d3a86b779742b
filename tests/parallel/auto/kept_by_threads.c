/* What each thread has of its own: firstprivate, a reduction in progress, an array, a block of the heap. */
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

#define STEPS 30
static double field[300];

static double sweep(int step)
{
    double own = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < 300; i++) {
        field[i] = field[i] * 0.75 + step * 0.01 * i;
        own += field[i];
    }
    return own;
}

int main(void)
{
    double offset = 2.5;
    long total = 0;
#pragma omp parallel firstprivate(offset) reduction(+ : total) default(none) shared(field)
    {
        int me = omp_get_thread_num();
        double past[3] = {me, 0, 0};
        double *work = malloc(8 * sizeof *work);
        for (int i = 0; i < 8; i++)
            work[i] = me + i;
        for (int step = 0; step < STEPS; step++) {
            double own = sweep(step);
            past[step % 3] = own + past[(step + 1) % 3] * 0.5;
            work[step % 8] += past[0] + offset;
            offset += 0.25 * me;
            total += step * (me + 1);
        }
#pragma omp critical
        {
            field[me] += past[0] + past[1] + past[2] + offset;
            for (int i = 0; i < 8; i++)
                field[me] += work[i];
        }
        free(work);
    }
    double sum = 0;
    for (int i = 0; i < 300; i++)
        sum += field[i] * (i % 7 + 1);
    printf("%.17g %ld %g\n", sum, total, offset);
    return 0;
}
