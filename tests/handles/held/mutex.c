/* The checkpoint comes while a mutex is held, or the mutex has attributes: which of them is the argument. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t guard;

int main(int argc, char **argv)
{
    long sum = 0;
    int held = argc > 1 && !strcmp(argv[1], "held");
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    int kind = argc > 1 && !strcmp(argv[1], "recursive") ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT;
    if (argc > 1)
        pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&guard, &attributes);
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
