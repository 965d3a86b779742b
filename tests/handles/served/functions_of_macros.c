/* Functions, and a loop, that macros make: the macros are written out where checkpoints and what leads to them stand. */
#include <stdio.h>

#define SOLVER(NUMBER, NAME) \
    static NUMBER NAME##_scale = 1; \
    static NUMBER NAME(NUMBER *x, int n, int steps) \
    { \
        NUMBER sum = 0; \
        for (int step = 0; step < steps; step++) { \
            for (int i = 1; i < n; i++) \
                x[i] = (NUMBER)0.5 * (x[i] + x[i - 1]); \
            sum += NAME##_scale * x[n - 1]; \
            NAME##_scale *= (NUMBER)0.75; \
        } \
        return sum; \
    }

SOLVER(double, solve)
SOLVER(float, solve_roughly)

static double values[500], total;
static float rough[500];

static void work(int steps)
{
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < 500; i++)
            values[i] = 0.5 * (values[i] + values[i - 1]);
        total += values[499];
    }
}

#define CALLER(NAME, N)   \
    static void NAME(int n) \
    {                     \
        int before = n;   \
        work(n + N);      \
        total += before;  \
    }

CALLER(ten, 10)
CALLER(more,
       15);

#define ALL(x, steps)                                \
    for (int pass = 0; pass < steps; pass++) {       \
        for (int k = 0; k < 500; k++)                \
            x[k] += pass + (k > 0 ? x[k - 1] : 0.0) / (k + 1); \
    }

int main(void)
{
    for (int i = 0; i < 500; i++)
        rough[i] = values[i] = i;
    total = solve(values, 500, 20);
    total += solve_roughly(rough, 500, 15);
    ten(20);
    more(6);
    ALL(values,
        40)
    printf("%.17g %.17g\n", total, values[499]);
    return 0;
}
