/* The checkpoint comes while a mutex is held, if there is an argument. No function initialises it, and none ends it. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv)
{
    long sum = 0;
    int held = argc > 1;
    (void)argv;
    for (int step = 0; step < 20; step++) {
        pthread_mutex_lock(&guard);
        sum += step;
        if (!held)
            pthread_mutex_unlock(&guard);
#pragma cccp checkpoint
        if (held)
            pthread_mutex_unlock(&guard);
    }
    printf("%ld\n", sum);
    return 0;
}
