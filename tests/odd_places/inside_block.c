/* Only what is further behind in a block is registered, in a function that is called.
   stops: register all of it, from its beginning on */
#include <stdio.h>
#include <stdlib.h>

static void work(double *block, int n)
{
    double *a = block + 5;
    int i;
#pragma cccp register(n, i, a[n])
    for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
        for (int k = 0; k < n; k++)
            a[k] += i;
    }
    printf("%g\n", a[n - 1]);
}

int main(void)
{
    int n = 100;
    double *block = calloc(n + 5, sizeof *block);
#pragma cccp init
#pragma cccp register(n, block)
    work(block, n);
#pragma cccp shutdown
    free(block);
    return 0;
}
