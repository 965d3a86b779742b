/* A function with registers that the C library has called, and that has returned, is no hindrance for checkpoints elsewhere.
   restarts throughout */
#include <stdio.h>
#include <stdlib.h>

static int v[8] = {5, 2, 9, 1, 7, 3, 8, 4}, calls, step;

static int deep(int d)
{
    int k = d;
#pragma cccp register(k)
    k = d + 0;
    return k;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
#pragma cccp register(x, y)
    calls++;
    x = deep(x);
    y = deep(y);
    return x - y;
}

static int order(int n)
{
    int i;
#pragma cccp register(n, i)
    for (i = 0; i < 2; i++) {
        qsort(v, n, sizeof v[0], compare);
#pragma cccp checkpoint
        v[i] += step;
    }
    return n;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(v, calls, step)
    for (step = 0; step < 4; step++) {
        order(8);
        for (int i = 0; i < 8; i++) {
            printf("%d ", v[i]);
            v[i] = (v[i] * 7 + step) % 11;
        }
        printf("%d\n", calls);
    }
#pragma cccp shutdown
    return 0;
}
