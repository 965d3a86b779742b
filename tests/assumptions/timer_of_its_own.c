// auto refuses CCCP403 what `timer_create` starts
/* A timer that the library cannot ask for, made in a helper; nothing uses its handle later. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void start(void)
{
    timer_t timer;
    struct sigevent event;
    struct itimerspec times;
    memset(&event, 0, sizeof event);
    memset(&times, 0, sizeof times);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    times.it_value.tv_sec = 50000;
    timer_create(CLOCK_REALTIME, &event, &timer);
    timer_settime(timer, 0, &times, NULL);
}

int main(void)
{
    long sum = 0;
    start();
    for (int i = 0; i < 20; i++)
        sum = sum * 3 + i;
    printf("%ld\n", sum);
    return 0;
}
