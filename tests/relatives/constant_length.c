/* An array whose length is a constant that never changes, and that is registered behind it. */
#include <stdio.h>
#include <string.h>
static long work(int steps)
{
    int n = 5, m = 3;
    long a[n][m], own = 0;
    memset(a, 0, sizeof a);
#pragma cccp register(n, m, a[n], own, steps)
    for (int step = 0; step < steps; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        a[step % n][step % m] += step;
        own += a[1][2] + a[4][0];
    }
    return own;
}
int main(void)
{
#pragma cccp init
    long got = work(30);
    printf("%ld\n", got);
#pragma cccp shutdown
    return 0;
}
