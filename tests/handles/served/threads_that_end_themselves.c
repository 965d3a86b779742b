/* A thread that ends by `pthread_exit` leaves what it has computed to the others, also where only ways lead there that end so. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 3

static double totals[THREADS];
static long longest;
static long ended[THREADS];

static void end(long number)
{
    ended[number]++;
    pthread_exit(NULL);
}

static void *work(void *argument)
{
    long number = (long)argument;
    for (int i = 0; i < 1000; i++) totals[number] += 1.0 / (i + 1 + number);
    if (number == 1) {
        longest += 3;
        end(number);
    }
    ended[number] += 2;
    pthread_exit(NULL);
}

int main(void)
{
    for (int round = 0; round < 15; round++) {
        pthread_t threads[THREADS];
        for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < THREADS; i++) printf("%g %ld\n", totals[i], ended[i]);
    printf("%ld\n", longest);
    return 0;
}
