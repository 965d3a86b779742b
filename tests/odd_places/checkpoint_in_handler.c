/* A signal handler with a checkpoint.
   refused: `signal` calls `handler`, and is not precompiled */
#include <stdio.h>
#include <signal.h>
static volatile int n, total;
static void handler(int s)
{
    n++;
#pragma cccp register(n)
#pragma cccp checkpoint
}
int main(void)
{
    int i;
#pragma cccp init
    signal(SIGUSR1, handler);
#pragma cccp register(i, total)
    for (i = 0; i < 10; i++) { total += i; raise(SIGUSR1); }
    printf("%d %d\n", n, total);
#pragma cccp shutdown
    return 0;
}
