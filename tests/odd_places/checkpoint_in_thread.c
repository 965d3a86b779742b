/* Another thread takes the checkpoint.
   refused: `pthread_create` calls `work`, and is not precompiled */
#include <stdio.h>
#include <pthread.h>
static double sum;
static void *work(void *p)
{
    int i; double x = 0;
#pragma cccp register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        x += i;
    }
    sum = x;
    return 0;
}
int main(void)
{
    pthread_t t;
#pragma cccp init
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    printf("%g\n", sum);
#pragma cccp shutdown
    return 0;
}
