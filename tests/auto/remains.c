/* The loops that seem to do the most cannot be served: their streams come from other programs. Two behind them, which do a share of what
   is left, go over the same data again and again. */
#include <stdio.h>

enum { COUNT = 50, PASSES = 8 };

static double values[COUNT];

static double drawn(int rounds)
{
    double x = 0.5;
    for (int i = 0; i < 1000; i++)
        x = x / 2 + rounds * 0.1;
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
    source = popen("echo 2 7 1 8", "r");
    for (int pass = 0; pass < PASSES; pass++) {
        if (fscanf(source, "%d", &one) != 1)
            one = 5;
        for (int k = 0; k < 40; k++)
            for (int i = 1; i < COUNT - 1; i++)
                values[i] = (values[i - 1] + one * values[i] + values[i + 1]) / (2 + one);
    }
    pclose(source);
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 1; i < COUNT - 1; i++)
            values[i] = (2 * values[i - 1] + values[i] + values[i + 1]) / 4;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 1; i < COUNT - 1; i++)
            values[i] = (values[i - 1] + 2 * values[i] + values[i + 1]) / 4;
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += values[i];
    printf("%.17g\n", sum);
    return 0;
}
