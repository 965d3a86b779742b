/* Variable arguments: what is left of them stands on a stack that is gone.
   refused: `rest` cannot be saved */
#include <stdarg.h>
#include <stdio.h>

static int s;

static void sum(int n, va_list rest)
{
    int k;
#pragma cccp register(n, k, rest)
    for (k = 0; k < n; k++) {
#pragma cccp checkpoint
        s += va_arg(rest, int);
    }
}

static void all(int n, ...)
{
    va_list rest;
    va_start(rest, n);
    sum(n, rest);
    va_end(rest);
}

int main(void)
{
#pragma cccp init
#pragma cccp register(s)
    all(3, 1, 2, 3);
    printf("%d\n", s);
#pragma cccp shutdown
    return 0;
}
