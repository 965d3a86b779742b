/* A checkpoint in a function for `atexit`.
   refused: `atexit` calls `last`, and is not precompiled */
#include <stdio.h>
#include <stdlib.h>
static double x; static int i;
static void last(void)
{
#pragma cccp register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        x += i;
    }
    printf("%g\n", x);
}
int main(void)
{
#pragma cccp init
    atexit(last);
    return 0;
}
