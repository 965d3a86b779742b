// auto refuses CCCP402 thread that `pthread_create` makes is joined behind it only
/* A thread counts beside the loop. */
#include <pthread.h>
#include <stdio.h>
static long count;
static void *counts(void *unused)
{
    for (int i = 0; i < 1000; i++)
        count++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    long sum = 0;
    pthread_create(&thread, NULL, counts, NULL);
    for (int i = 0; i < 20; i++)
        sum = sum * 3 + i;
    pthread_join(thread, NULL);
    printf("%ld %ld\n", sum, count);
    return 0;
}
