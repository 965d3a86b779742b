/* Threads have waited for a condition variable, and a mutex was ended: no thread is there at a checkpoint, and both come back free. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream stream_t;

typedef struct {
    pthread_mutex_t *lock;
    pthread_cond_t *ready;
    stream_t *stream;
    int state;
    pthread_t thread;
} worker_t;

struct stream {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int workers, free_workers, is_ready;
    worker_t *worker;
    double sum;
};

static void *work(void *given)
{
    worker_t *worker = given;
    pthread_mutex_lock(worker->lock);
    worker->stream->free_workers++;
    pthread_cond_broadcast(worker->ready);
    while (worker->state == 0)
        pthread_cond_wait(worker->ready, worker->lock);
    worker->stream->sum *= 0.75;
    pthread_mutex_unlock(worker->lock);
    return NULL;
}

static void begin(stream_t *stream)
{
    if (!stream->is_ready) {
        pthread_mutex_init(&stream->lock, NULL);
        pthread_cond_init(&stream->ready, NULL);
        stream->is_ready = 1;
    }
    stream->worker = calloc(stream->workers, sizeof *stream->worker);
    for (int i = 0; i < stream->workers; i++) {
        worker_t *worker = stream->worker + i;
        worker->lock = &stream->lock;
        worker->ready = &stream->ready;
        worker->stream = stream;
        pthread_create(&worker->thread, NULL, work, worker);
    }
}

static void end(stream_t *stream)
{
    pthread_mutex_lock(&stream->lock);
    while (stream->free_workers < stream->workers)
        pthread_cond_wait(&stream->ready, &stream->lock);
    for (int i = 0; i < stream->workers; i++)
        stream->worker[i].state = 1;
    pthread_cond_broadcast(&stream->ready);
    pthread_mutex_unlock(&stream->lock);
    for (int i = 0; i < stream->workers; i++)
        pthread_join(stream->worker[i].thread, NULL);
    free(stream->worker);
    stream->worker = NULL;
}

int main(int argc, char **argv)
{
    pthread_mutex_t *turn = calloc(1, sizeof *turn);
    stream_t *stream = calloc(1, sizeof *stream);
    if (!stream || !turn)
        return 1;
    stream->workers = argc > 1 ? atoi(argv[1]) : 2;
    stream->sum = 1;
    if (stream->workers) {
        begin(stream);
        end(stream);
    }
    for (int step = 0; step < 40; step++) {
        pthread_mutex_init(turn, NULL);
        pthread_mutex_lock(turn);
        stream->sum += step % 7;
        pthread_mutex_unlock(turn);
        pthread_mutex_destroy(turn);
        if (stream->workers && step % 4 == 1) {
            stream->free_workers = 0;
            begin(stream);
            end(stream);
        }
    }
    printf("%.17g\n", stream->sum);
    if (stream->is_ready) {
        pthread_mutex_destroy(&stream->lock);
        pthread_cond_destroy(&stream->ready);
    }
    free(turn);
    free(stream);
    return 0;
}
