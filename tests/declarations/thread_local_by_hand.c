/* Thread-local variables that are registered by hand. The other file's `own` is set anew from `shared`. */
#include <stdio.h>

extern __thread long shared;
long turn(long by);
static _Thread_local double sum[3];

int main(void)
{
    long i, last = 0;
#pragma cccp init
#pragma cccp register(i, last, sum, shared)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        shared = shared * 3 + i;
        sum[i % 3] += shared;
        last = shared - last;
    }
    printf("%g %g %g %ld %ld\n", sum[0], sum[1], sum[2], shared, last);
#pragma cccp shutdown
    return (int)(turn(0) * 0);
}
