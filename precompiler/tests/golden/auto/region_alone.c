/* The body of the loop is one region with a call in it: what is called runs in several threads, the loop does not. */
#include <stdio.h>

#define CELLS 1000

static double u[CELLS];

static void part(int from, int to, int step)
{
    for (int i = from; i < to; i++)
        u[i] = u[i] * 0.5 + step;
}

int main(void)
{
    int step = 0;
    while (step < 600) { /* before: checkpoint */
#pragma omp parallel sections
        {
#pragma omp section
            part(0, CELLS / 2, step);
#pragma omp section
            part(CELLS / 2, CELLS, step);
        }
        step++;
    }
    printf("%g\n", u[7]);
    return 0;
}
