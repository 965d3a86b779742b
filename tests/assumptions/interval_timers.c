// auto resumes 7 20
// hand resumes 7 20
/* Timers with a handler: one runs and has an interval, one was stopped, one never ran. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

typedef struct itimerval Times;
struct clocks {
    int which[3];
};
static const struct clocks clocks = {{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}};
static volatile sig_atomic_t ticks;

static void tick(int number) { ticks += number > 0; }

static void start(int which, long seconds)
{
    Times times = {{7, 250000}, {seconds, 0}};
    setitimer(which, &times, NULL);
}

int main(void)
{
    long sum = 0;
    int i;
    signal(SIGALRM, tick);
    signal(SIGVTALRM, tick);
    signal(SIGPROF, tick);
#pragma cccp init
    start(ITIMER_REAL, 50000);
    start(ITIMER_VIRTUAL, 50000);
    start(ITIMER_VIRTUAL, 0);
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i, ticks)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    printf("%ld %d\n", sum, (int)ticks);
    for (i = 0; i < 3; i++) {
        Times times;
        getitimer(clocks.which[i], &times);
        printf("%d %ld %ld\n", times.it_value.tv_sec > 3600, (long)times.it_interval.tv_sec, (long)times.it_interval.tv_usec);
    }
#pragma cccp shutdown
    return 0;
}
