/* Two loops as one, in a function that is called once; a small loop over time comes first. */
#include <math.h>
#include <stdio.h>

#define N 50

static double table[N][N];

static double value(int i, int j)
{
    double sum = 0;
    for (int k = 1; k < 200; k++)
        sum += (i + 1.0) * (j + 2.0) / (k * (k + i + j + 1.0));
    return sum;
}

static void fill(double scale)
{
#pragma omp parallel for collapse(2) schedule(static, 7)
    for (int i = N - 1; i >= 0; i--)
        for (int j = 0; j < N; ++j) {
            table[i][j] = scale * value(i, j);
        }
}

int main(void)
{
    double scale = 1;
    for (int step = 0; step < 30; step++)
        scale = 0.9 * scale + 0.01 * step;
    fill(scale);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += table[i][j] * (i - j);
    printf("%.17g %.17g\n", scale, sum);
    return 0;
}
