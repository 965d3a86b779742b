/* Mutexes, read-write locks, spin locks and condition variables that nobody holds come back free, what is done once stays done. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

typedef pthread_mutex_t guard_t;

struct queue {
    long sum;
    guard_t lock;
    pthread_rwlock_t table;
    pthread_spinlock_t near;
};

static guard_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag again = ONCE_FLAG_INIT;
static int begun;

static void begin(void)
{
    begun++;
}

static void add(struct queue *queue, long value)
{
    pthread_mutex_lock(&queue->lock);
    pthread_spin_lock(&queue->near);
    queue->sum += value;
    pthread_spin_unlock(&queue->near);
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&queue->lock);
}

int main(void)
{
    struct queue *queue = malloc(sizeof *queue);
    mtx_t local;
    if (!queue || mtx_init(&local, mtx_plain) != thrd_success)
        return 1;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_rwlock_init(&queue->table, NULL);
    pthread_spin_init(&queue->near, PTHREAD_PROCESS_PRIVATE);
    queue->sum = 0;
    for (int step = 0; step < 20; step++) {
        pthread_once(&once, begin);
        call_once(&again, begin);
        pthread_mutex_lock(&guard);
        mtx_lock(&local);
        add(queue, step);
        mtx_unlock(&local);
        pthread_mutex_unlock(&guard);
        pthread_rwlock_rdlock(&queue->table);
        pthread_rwlock_unlock(&queue->table);
        pthread_rwlock_wrlock(&queue->table);
        pthread_rwlock_unlock(&queue->table);
        printf("%d %ld\n", step, queue->sum);
    }
    printf("begun %d times, %s\n", begun, pthread_mutex_trylock(&guard) ? "held" : "free");
    return 0;
}
