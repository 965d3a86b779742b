/* The time that has passed goes on behind a restart: no clock that the program asks goes back. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

enum { CLOCKS = 7 };

static int back;
static double last[CLOCKS];

static double of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void look(void)
{
    struct rusage used;
    struct tms ticks;
    getrusage(RUSAGE_SELF, &used);
    double now[CLOCKS] = {
        clock() / (double)CLOCKS_PER_SEC,
        of(CLOCK_MONOTONIC),
        of(CLOCK_PROCESS_CPUTIME_ID),
        of(CLOCK_THREAD_CPUTIME_ID),
        used.ru_utime.tv_sec + used.ru_utime.tv_usec * 1e-6,
        times(&ticks),
    };
    now[6] = ticks.tms_utime;
    for (int i = 0; i < CLOCKS; i++) {
        back += now[i] < last[i];
        last[i] = now[i];
    }
}

int main(void)
{
    double value = 0;
    look();
    for (int i = 0; i < 200; i++) {
        for (int j = 0; j < 100000; j++)
            value = value * 0.999 + j % 7;
        look();
    }
    printf("%d %.17g\n", back, value);
    return 0;
}
