/* What another thread reads may be read at any time; what it stores to may be stored to at any time. */
#include <pthread.h>
#include <stdio.h>

static int asked, answered, quiet, unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct work { int from, to, sum; };

static void *serve(void *argument)
{
    struct work *work = argument;
    for (int i = work->from; i < work->to; i++) {
        pthread_mutex_lock(&lock);
        work->sum += i * asked;
        answered = work->sum;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct work work = {argc, 10 * argc, 0};
    asked = argc;
    quiet = argc;
    unused = argc;
    pthread_create(&thread, 0, serve, &work);
    /* must: asked live, work.from live, work.to live, work.sum live, answered live */
    /* should: unused dead, quiet dead */
#pragma cccp checkpoint
    asked = 0;
    quiet = 2;
    pthread_join(thread, 0);
    printf("%d %d\n", answered, quiet);
    return 0;
}
