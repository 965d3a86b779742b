/* The loop that seems to do the most cannot be served: its stream comes from another program. The one behind it goes over the same data
   again and again. */
#include <stdio.h>

enum { COUNT = 50, PASSES = 8 };

static double values[COUNT];

static double drawn(int rounds)
{
    double x = 0.5;
    for (int i = 0; i < 1000; i++)
        x = x < 0.5 ? rounds * x + 0.01 : 2 - 2 * x;
    return x;
}

int main(void)
{
    FILE *source = popen("echo 3 1 4 1 5", "r");
    int one;
    for (int i = 0; i < COUNT; i++) {
        if (fscanf(source, "%d", &one) != 1)
            one = 2;
        for (int j = 0; j < 100; j++)
            values[i] += drawn(one + j % 3);
    }
    pclose(source);
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 1; i < COUNT - 1; i++)
            values[i] = (values[i - 1] + 2 * values[i] + values[i + 1]) / 4;
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += values[i];
    printf("%.17g\n", sum);
    return 0;
}
