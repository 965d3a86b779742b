/* `main` ends with `pthread_exit`: the process ends with the last of its threads, and its output is there. */
#include <pthread.h>
#include <stdio.h>

static double sum;
static int steps;

static void *last(void *text)
{
    printf("%s %d %g\n", (const char *)text, steps, sum);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 40; i++) {
        sum += i * 0.5;
        steps++;
    }
    printf("%g\n", sum);
    pthread_create(&thread, NULL, last, "behind main:");
    pthread_exit(NULL);
}
