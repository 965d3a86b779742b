/* A library of threads of the program's own has the names of C11. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { pthread_mutex_t inner; int kind; } mtx_t;

int mtx_init(mtx_t *lock, int kind)
{
    lock->kind = kind;
    return pthread_mutex_init(&lock->inner, NULL);
}

void mtx_destroy(mtx_t *lock)
{
    pthread_mutex_destroy(&lock->inner);
}

int main(void)
{
    struct { mtx_t lock; uintptr_t next; long sum; } *all = calloc(2, sizeof *all);
    if (!all || mtx_init(&all->lock, 1))
        return 1;
    all->next = (uintptr_t)(all + 1);
    for (int step = 0; step < 30; step++) {
        pthread_mutex_lock(&all->lock.inner);
        all->sum += step;
        all[1].sum ^= step * all->lock.kind;
        pthread_mutex_unlock(&all->lock.inner);
    }
    printf("%ld %ld\n", all->sum, all[1].sum + (all->next != 0));
    mtx_destroy(&all->lock);
    free(all);
    return 0;
}
