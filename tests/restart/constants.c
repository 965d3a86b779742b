/* Locals that are initialised by constants and never changed survive without being registered. */
#include <stdio.h>

enum { N = 4 };

static double evaluate(double x)
{
    const double coefficient[N] = {1.0, -0.5, 0.25, -0.125};
    int degree = N - 1;
    double value = 0.0;
    int i;
#pragma cccp register(value, i)
    for (i = degree; i >= 0; i--) {
#pragma cccp checkpoint
        value = value * x + coefficient[i];
    }
    return value;
}

int main(void)
{
#pragma cccp init
    const char *name = "result";
    double scale = 1e-3, offset = 2.0 * 3.0;
    const int rounds = sizeof(long) > 4 ? 3 : 2;
    const char unit[] = "metre";
    double sum = 0.0;
    int round;
#pragma cccp register(sum, round)
    for (round = 0; round < rounds; round++)
        sum += scale * evaluate(0.5 + round) + offset;
    printf("%s %.17g %s\n", name, sum, unit);
#pragma cccp shutdown
    return 0;
}
