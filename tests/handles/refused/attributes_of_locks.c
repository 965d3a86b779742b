/* refused: the attributes of a mutex | one that is recursive would no longer be | the attributes of a read-write lock | others would be preferred | the attributes of a condition variable | they would wait by another clock */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

typedef struct { pthread_mutex_t lock; pthread_cond_t more[2]; } guard_t;

static guard_t guard;
static pthread_rwlock_t table;

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_condattr_t clock;
    pthread_rwlockattr_t preferred;
    long sum = 0;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&guard.lock, &recursive);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&guard.more[0], &clock);
    pthread_cond_init(&guard.more[1], NULL);
    pthread_rwlockattr_init(&preferred);
    pthread_rwlockattr_setkind_np(&preferred, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&table, &preferred);
    for (int step = 0; step < 20; step++) {
        pthread_mutex_lock(&guard.lock);
        pthread_rwlock_wrlock(&table);
        sum += step;
        pthread_rwlock_unlock(&table);
        pthread_cond_signal(&guard.more[step % 2]);
        pthread_mutex_unlock(&guard.lock);
    }
    printf("%ld\n", sum);
    return 0;
}
