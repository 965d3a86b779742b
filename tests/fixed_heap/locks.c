/* Locks in a fixed heap. The argument says what is special: `kinds` have attributes, `held` or `owned` one stays held. One lies in a block that is
 * given back without a word and used for numbers. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct shared {
    pthread_mutex_t lock;
    pthread_mutex_t robust;
    pthread_rwlock_t table;
    mtx_t plain;
    pthread_cond_t ready;
    int is_there;
    double sum;
};

static void *add(void *given)
{
    struct shared *shared = given;
    pthread_mutex_lock(&shared->lock);
    shared->sum *= 1.25;
    shared->is_there = 1;
    pthread_cond_signal(&shared->ready);
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    int has_kinds = !strcmp(how, "kinds") || !strcmp(how, "held");
    int is_held = !strcmp(how, "held") || !strcmp(how, "owned");
    pthread_mutexattr_t attributes;
    pthread_rwlockattr_t preferred;
    struct shared *shared = calloc(1, sizeof *shared);
    pthread_mutex_t *first = malloc(1 << 18);
    unsigned long *numbers;
    if (!shared || !first)
        return 1;
    pthread_mutexattr_init(&attributes);
    pthread_rwlockattr_init(&preferred);
    if (has_kinds) {
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        pthread_rwlockattr_setkind_np(&preferred, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    }
    pthread_mutex_init(&shared->lock, &attributes);
    if (has_kinds)
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared->robust, &attributes);
    pthread_rwlock_init(&shared->table, &preferred);
    pthread_cond_init(&shared->ready, NULL);
    mtx_init(&shared->plain, mtx_plain);
    pthread_mutex_init(first, NULL);
    free(first);
    numbers = malloc(1 << 18);
    if (!numbers)
        return 1;
    memset(numbers, 0x5a, 1 << 18);
    if (is_held)
        pthread_mutex_lock(&shared->lock);
    for (int step = 0; step < 24; step++) {
        pthread_t thread;
        if (!is_held) {
            shared->is_there = 0;
            pthread_create(&thread, NULL, add, shared);
            pthread_mutex_lock(&shared->lock);
            while (!shared->is_there)
                pthread_cond_wait(&shared->ready, &shared->lock);
            pthread_mutex_unlock(&shared->lock);
            pthread_join(thread, NULL);
        }
        if (has_kinds || !is_held)
            pthread_mutex_lock(&shared->lock);
        if (has_kinds)
            pthread_mutex_lock(&shared->lock);
        pthread_mutex_lock(&shared->robust);
        mtx_lock(&shared->plain);
        pthread_rwlock_rdlock(&shared->table);
        shared->sum += step + (double)(numbers[step] % 7);
        pthread_rwlock_unlock(&shared->table);
        pthread_rwlock_wrlock(&shared->table);
        numbers[step] += step;
        pthread_rwlock_unlock(&shared->table);
        mtx_unlock(&shared->plain);
        pthread_mutex_unlock(&shared->robust);
        if (has_kinds)
            pthread_mutex_unlock(&shared->lock);
        if (has_kinds || !is_held)
            pthread_mutex_unlock(&shared->lock);
    }
    if (is_held)
        pthread_mutex_unlock(&shared->lock);
    printf("%.17g %lu\n", shared->sum, numbers[5]);
    pthread_mutex_destroy(&shared->lock);
    pthread_mutex_destroy(&shared->robust);
    pthread_rwlock_destroy(&shared->table);
    mtx_destroy(&shared->plain);
    free(numbers);
    free(shared);
    return 0;
}
