#include <stdio.h>
static double turn(int step)
{
    static double last[64];
#pragma omp threadprivate(last)
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        last[i] = last[(i + 1) % 64] / 2 + step;
        sum += last[i];
    }
    return sum;
}
int main(void)
{
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        double part = 0;
#pragma omp parallel reduction(+ : part)
        part = turn(step);
        sum += part;
    }
    printf("%.17g\n", sum);
    return 0;
}
