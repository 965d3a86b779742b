/* A function with `init` that is called again, a goto back over `init`, and a program of three runs in a row. */
#include <stdio.h>

static int rounds;

static int steps(int from)
{
    int i, sum = from;
#pragma cccp register(i, sum)
    for (i = 0; i < 2; i++) {
        sum += i;
#pragma cccp checkpoint
        printf("%d\n", sum);
    }
    return sum;
}

static int begun;

/* Only what the first call does stands before `init`. */
static void step(int n)
{
    int last[n];
    last[n - 1] = n;
    if (begun)
        printf("again with %d\n", n);
#pragma cccp init
    begun = 1;
#pragma cccp register(begun)
    printf("%d\n", steps(last[n - 1]));
}

static void back(int n)
{
    double x = 0, w[n];
    goto begin;
again:
    x += 100;
begin:
#pragma cccp init
    ;
    int i;
#pragma cccp register(x, i, rounds)
    for (i = 0; i < 2; i++) {
        for (int k = 0; k < n; k++)
            x += w[k] = i;
#pragma cccp checkpoint
        printf("%d %d %g\n", rounds, i, x);
    }
    if (rounds++ < 2)
        goto again;
}

int main(void)
{
    step(3);
    step(5);
    back(4);
#pragma cccp shutdown
    printf("end %d\n", rounds);
    return 0;
}
