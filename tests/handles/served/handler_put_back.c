/* What `sigaction` gave back is kept to be put back: its members may lead to the library's own functions, and lead nowhere. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t stopped;
static struct sigaction before;

static void stop(int number)
{
    stopped = number;
}

static void listen(void)
{
    struct sigaction now;
    memset(&now, 0, sizeof now);
    sigemptyset(&now.sa_mask);
    now.sa_handler = stop;
    sigaction(SIGUSR1, &now, &before);
}

static void leave(void)
{
    struct sigaction now;
    sigaction(SIGUSR1, &before, &now);
    printf("%d %d\n", now.sa_handler == stop, before.sa_handler == SIG_DFL);
}

int main(void)
{
    double sum = 0;
    listen();
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 1000; i++)
            sum += step * 0.5 / (i + 1);
        if (step == 15)
            raise(SIGUSR1);
        if (stopped && step == 17)
            break;
    }
    leave();
    printf("%.17g %d\n", sum, stopped);
    return 0;
}
