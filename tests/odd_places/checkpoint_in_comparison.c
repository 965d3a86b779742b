/* The library calls the function with the checkpoint.
   refused: `qsort` calls `compare`, and is not precompiled */
#include <stdio.h>
#include <stdlib.h>
static int a[50], calls;
static int compare(const void *x, const void *y)
{
    calls++;
#pragma cccp register(calls)
#pragma cccp checkpoint
    return *(const int *)x - *(const int *)y;
}
int main(void)
{
#pragma cccp init
    for (int i = 0; i < 50; i++) a[i] = i * 37 % 101;
#pragma cccp register(a)
    qsort(a, 50, sizeof *a, compare);
    printf("%d %d\n", a[7], calls);
#pragma cccp shutdown
    return 0;
}
