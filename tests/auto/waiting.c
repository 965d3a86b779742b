/* The same loop runs beside a thread, and once more when it is joined: checkpoints are taken then. */
#include <pthread.h>
#include <stdio.h>

static double field[64];
static long counted;

static void *count(void *unused)
{
    for (int i = 0; i < 1000; i++)
        counted += i % 7;
    return unused;
}

static void settle(int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        field[0] = 1.0 + pass;
        for (int i = 1; i < 63; i++)
            field[i] = 0.5 * field[i - 1] + 0.25 * field[i] + 0.25 * field[i + 1];
    }
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    settle(30);
    pthread_join(thread, NULL);
    settle(40);
    printf("%.17g %.17g %ld\n", field[5], field[40], counted);
    return 0;
}
