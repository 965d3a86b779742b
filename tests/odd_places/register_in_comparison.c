/* The library calls a function that registers.
   stops: `calls` was registered by compare ( */
#include <stdio.h>
#include <stdlib.h>
/* register in a callback, checkpoint in main afterwards */
static int a[20], calls, last;
static int compare(const void *x, const void *y)
{
    calls++;
#pragma cccp register(calls)
    return *(const int *)x - *(const int *)y;
}
int main(void)
{
#pragma cccp init
    int i;
    for (i = 0; i < 20; i++) a[i] = i * 37 % 101;
#pragma cccp register(a, i)
    qsort(a, 20, sizeof *a, compare);
    for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
        printf("%d %d\n", a[i], calls);
        int k = i; (void) bsearch(&k, a, 20, sizeof *a, compare);
    }
#pragma cccp shutdown
    return 0;
}
