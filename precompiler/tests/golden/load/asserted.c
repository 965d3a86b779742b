/* What is asserted behind a loop as a rule holds: the loop does the work. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define check(holds) ((holds) ? (void)0 : abort())

static double *values;
static long count;

static double smooth(long rounds)
{
    double sum = 0;
    for (long round = 0; round < rounds; round++) /* selected */
        for (long part = 0; part < count; part++)
            for (long i = 1; i < count - 1; i++)
                values[i] += 0.25 * (values[i - 1] - 2 * values[i] + values[i + 1]);
    for (long i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void sharpen(long rounds)
{
    for (long round = 0; round < rounds; round++) /* also worth a checkpoint */
        for (long i = 1; i < count - 1; i++)
            values[i] -= 0.2 * (values[i - 1] - 2 * values[i] + values[i + 1]);
    check(values[0] >= 0);
    assert(count > 1);
    values[0] > 1 || (abort(), 0);
}

int main(int argc, char **argv)
{
    count = argc > 2 ? atol(argv[2]) : 1000;
    values = calloc(count, sizeof *values);
    values[0] = 2;
    sharpen(argc > 1 ? atol(argv[1]) : 100);
    printf("%.12g\n", smooth(argc > 1 ? atol(argv[1]) : 100));
    free(values);
    return 0;
}
