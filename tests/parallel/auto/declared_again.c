/* copies of variables that a header declares and makes each thread's own, and the file defines behind that */
#include <omp.h>
#include <stdio.h>

extern int seed;
extern double drift;
#pragma omp threadprivate(seed, drift)

int seed = 3;
double drift;

static double grid[64], sums[64];

int main(void)
{
    int n = 20, k;
    for (int i = 0; i < 64; i++)
        grid[i] = i;
    seed = 5;
#pragma omp parallel private(k)
    {
        int me = omp_get_thread_num();
        for (k = 0; k < n; k++) {
            seed = (seed * 1103 + 12345 + me) & 0xfffff;
            drift += seed % 3;
#pragma omp for
            for (int i = 0; i < 64; i++)
                grid[i] = grid[i] * 0.5 + i * 0.25;
        }
        sums[me] = seed + drift;
    }
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += grid[i] + sums[i];
    printf("%.12g %d %g\n", sum, seed, drift);
    return 0;
}
