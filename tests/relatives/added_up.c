/* What calls in the time loop set adds up, or is kept by a name: all of them are made again, in the order of time. */
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSTALL(function) atexit(function)

typedef void (*Ending)(void);

struct plan {
    Ending endings[3];
    int signals[4];
};

static volatile sig_atomic_t seen;
static int codes[40];

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }
static void third(void) { puts("third"); }

static void at_end(int status, void *code)
{
    (void)status;
    printf("code %d\n", *(int *)code);
}

static void on_signal(int number)
{
    seen = seen * 3 + number;
}

/* Only in some calls, beside what each call does. */
static void note(int step, const struct plan *plan)
{
    if (step % 5 == 2)
        INSTALL(plan->endings[step / 5 % 3]);
    setlocale(LC_TIME, "C");
}

static void name(int step)
{
    char text[40];
    snprintf(text, sizeof text, "STEP_%d", step);
    setenv(text, "set", 1);
    if (step > 3) {
        snprintf(text, sizeof text, "STEP_%d", step - 3);
        unsetenv(text);
    }
}

static double work(int step)
{
    double sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += sin(i + step);
    return sum;
}

int main(void)
{
    const struct plan plan = {{first, second, third}, {SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT}};
    double total = 0;
    setenv("TRAIL", "begin", 1);
    for (int step = 0; step < 16; step++) {
        total += work(step);
        note(step, &plan);
        name(step);
        codes[step] = 3 * step;
        if (step % 6 == 1)
            on_exit(at_end, &codes[step]);
        if (step < 4)
            signal(plan.signals[step], on_signal);
        if (step % 7 == 3)
            nice(1);
        char trail[400];
        snprintf(trail, sizeof trail, "%s,%d", getenv("TRAIL"), step);
        setenv("TRAIL", trail, 1);
        struct rlimit limit;
        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_cur > 1000 ? 1000 : limit.rlim_cur - 1;
        setrlimit(RLIMIT_CORE, &limit);
        if (step % 4 == 1) {
            char directory[20];
            snprintf(directory, sizeof directory, "at-%d", step);
            mkdir(directory, 0755);
            if (chdir(directory) != 0)
                return 2;
        }
    }
    for (int i = 0; i < 4; i++)
        raise(plan.signals[i]);
    printf("%.17g %d %s\n", total, (int)seen, getenv("TRAIL"));
    for (int step = 0; step < 16; step++) {
        char text[40];
        snprintf(text, sizeof text, "STEP_%d", step);
        printf("%d", getenv(text) != NULL);
    }
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    printf(" %d %ld\n", getpriority(PRIO_PROCESS, 0), (long)limit.rlim_cur);
    return 0;
}
