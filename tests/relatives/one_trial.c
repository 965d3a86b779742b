/* One trial unless the command line says otherwise: what does the work of a trial has checkpoints, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 20
static double u[N], v[N];
static unsigned long seed = 1;

static double next(void)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (seed >> 33) / 2147483648.0;
}

static int trial(double eps)
{
    int n = 0;
    double change = 1;
    for (int i = 0; i < N; i++) u[i] = next();
    u[0] = 0; u[N - 1] = 1;
    while (change > eps) {
        change = 0;
        for (int i = 1; i < N - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            if (fabs(v[i] - u[i]) > change) change = fabs(v[i] - u[i]);
        }
        for (int i = 1; i < N - 1; i++) u[i] = v[i];
        n++;
    }
    return n;
}
int main(int argc, char **argv)
{
    int trials = argc > 1 ? atoi(argv[1]) : 1;
    long sum = 0;
    for (int t = 0; t < trials; t++)
        sum = sum * 31 + trial(1e-2);
    printf("%ld %.17g\n", sum, u[N / 2]);
    return 0;
}
