/* What two calls on the way to a checkpoint hand down is a variable that nothing changes and nobody reads again */
#include <stdio.h>

static long cells[4] = { 1, 2, 3, 4 };
static long *target = &cells[1];
static int steps = 6;

static __attribute__((noinline)) long advance(long *to, int n)
{
    long sum = 0;
    for (int k = 0; k < n; k++) {
        *to += k * sum + 1;
        sum += *to;
    }
    return sum;
}

static __attribute__((noinline)) long run(int of)
{
    return of + advance(target, steps);
}

int main(void)
{
    long sum = run(3);
    printf("%ld %ld\n", sum, cells[1]);
    return 0;
}
