/* All the work is done in the value that `main` returns: the run has not ended before it. */
#include <stdio.h>

static double field[64];

static double settle(int steps)
{
    double change = 0.0;
    for (int step = 0; step < steps; step++) {
        change = 0.0;
        for (int i = 1; i < 63; i++) {
            double next = 0.5 * (field[i - 1] + field[i + 1]);
            change += next > field[i] ? next - field[i] : field[i] - next;
            field[i] = next;
        }
    }
    return change;
}

static int run(int steps)
{
    field[0] = 1.0;
    double change = settle(steps);
    for (int i = 0; i < 64; i += 9)
        printf("%.17g\n", field[i]);
    return change > 1.0;
}

int main(void)
{
    if (sizeof(double) < 8)
        return 2;
    return run(300);
}
