/* The operator _Pragma in the place of lines: directives go above it. */
#include <math.h>
#include <stdio.h>
#define N 3000
static double u[N], sum;
static void begin(void)
{
    for (int i = 0; i < N; i++)
        u[i] = i;
}
int main(void)
{
    begin();
    for (int step = 0; step < 20; step++) {
        _Pragma("omp parallel for")
        for (int i = 0; i < N; i++)
            u[i] = sin(u[i] + step + i * 0.01);
        sum += u[step];
    }
    printf("%.17g\n", sum + u[N - 1]);
    return 0;
}
