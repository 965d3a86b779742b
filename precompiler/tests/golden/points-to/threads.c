/* A thread is called with what its call of pthread_create hands over, and with nothing else that threads keep. */
#include <pthread.h>

struct first { int *of_first; };
struct second { int *of_second; };

static int x, y;
static int *seen_by_first, *seen_by_second;

static void *one(void *data)
{
    struct first *mine = data;
    seen_by_first = mine->of_first; /* must: seen_by_first → x */ /* should: seen_by_first ↛ y */
    return 0;
}

static void *other(void *data)
{
    struct second *mine = data;
    seen_by_second = mine->of_second; /* must: seen_by_second → y */ /* should: seen_by_second ↛ x */
    return 0;
}

int main(void)
{
    static struct first first;
    static struct second second;
    pthread_t threads[2];
    first.of_first = &x;
    second.of_second = &y;
    pthread_create(&threads[0], 0, one, &first);
    pthread_create(&threads[1], 0, other, &second);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
