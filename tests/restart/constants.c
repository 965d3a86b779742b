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

struct pair { int key, value; };
static int round_of_all;
static long mixed;

/* Where the checkpoint is, all of these names mean something else. */
static long hidden(long by)
{
    int weights[] = {8, 2, 5};
    long factor = 3, *const never = 0;
    typedef short small;
    small offset = 7;
    struct pair both = {4, 9};
    for (round_of_all = 0; round_of_all < 4; round_of_all++) {
        mixed = (mixed * factor + weights[round_of_all % 3] + offset + both.value + (never != 0)) % 10007;
        {
            struct pair weights[] = {{1, 2}, {3, 4}};
            double offset = 0.5, both = 0.25;
            int factor = round_of_all & 1, *never = &factor;
#pragma cccp register(factor, never)
#pragma cccp checkpoint
            mixed += (long)(8 * offset * both) + weights[factor].key + *never + by;
        }
    }
    return mixed;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(round_of_all, mixed)
    const char *name = "result";
    double scale = 1e-3, offset = 2.0 * 3.0;
    const int rounds = sizeof(long) > 4 ? 3 : 2;
    const char unit[] = "metre";
    double sum = 0.0;
    int round;
#pragma cccp register(sum, round)
    for (round = 0; round < rounds; round++)
        sum += scale * evaluate(0.5 + round) + offset;
    printf("%s %.17g %s %ld\n", name, sum, unit, hidden(2));
#pragma cccp shutdown
    return 0;
}
