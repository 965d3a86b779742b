/* Work that is handed out while it runs ends right before the checkpoint, without a barrier. */
#include <stdio.h>
#include <omp.h>

static double u[400], parts[3];
static long turns;

static void sweep(int step)
{
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 400; i++) {
#pragma omp atomic
        u[i] += 0.5 * i * step;
    }
}

int main(void)
{
#pragma cccp init
#pragma cccp register(u, parts, turns)
#pragma omp parallel
    {
        int step;
        double own = 0;
#pragma cccp register(step, own)
        for (step = 0; step < 40; step++) {
            sweep(step);
#pragma omp single nowait
            {
                turns++;
            }
#pragma omp sections nowait
            {
#pragma omp section
                parts[0] += step;
#pragma omp section
                parts[1] += 2 * step;
            }
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < 400; i++) {
#pragma omp atomic
                u[i] += i % 7;
            }
            own += step;
#pragma cccp checkpoint
#pragma omp barrier
        }
#pragma omp critical
        parts[2] += own / omp_get_num_threads();
    }
    double sum = 0;
    for (int i = 0; i < 400; i++)
        sum += u[i];
    printf("%.17g %g %g %g %ld\n", sum, parts[0], parts[1], parts[2], turns);
#pragma cccp shutdown
    return 0;
}
