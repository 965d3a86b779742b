/* The time loop is in a task, and waits for the tasks that it makes. */
#include <stdio.h>
#include <stdlib.h>

static double u[64];

static void spread(int first, int count, int step)
{
    if (count > 8) {
#pragma omp task
        spread(first, count / 2, step);
#pragma omp task
        spread(first + count / 2, count - count / 2, step);
#pragma omp taskwait
        return;
    }
    for (int i = first; i < first + count; i++)
        for (int k = 0; k < 200; k++)
            u[i] += 1.0 / (1 + i + k + step);
}

int main(int argc, char **argv)
{
    double total = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 25;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task shared(total) \
    firstprivate(steps)
            {
                double last = 0;
                for (int step = 0; step < steps; step++) {
                    for (int j = 0; j < 8; j++) {
#pragma omp task
                        spread(j * 8, 8, step);
                    }
#pragma omp taskwait
                    total += u[step] - last;
                    last = u[step];
                }
            }
        }
    }
    for (int i = 0; i < 64; i++)
        printf("%.17g ", u[i]);
    printf("%.17g\n", total);
    return 0;
}
