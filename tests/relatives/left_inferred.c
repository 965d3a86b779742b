/* What libraries keep is set by helpers that check whether it went well: they return from inside, in loops, and with the result. */
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void on(int number) { seen = number; }

typedef void (*handler)(int);

static handler install(int number) { return signal(number, on); }

static int checked(int number)
{
    if (signal(number, on) == SIG_ERR) {
        perror("signal");
        return -1;
    }
    return 0;
}

static int by_action(int number)
{
    struct sigaction action = { 0 };
    action.sa_handler = on;
    if (sigaction(number, &action, NULL) < 0)
        return -1;
    return 0;
}

static int first_of(const char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (setlocale(LC_NUMERIC, names[i]) != NULL)
            return i;
    return -1;
}

#define CHECK(call) do { if ((call) != 0) return 3; } while (0)

static int set_all(void)
{
    CHECK(setenv("SCALE", "3", 1));
    CHECK(setenv("SHIFT", "4", 1));
    return 0;
}

int main(void)
{
    const char *names[] = { "xx_YY.nothing", "C", "POSIX" };
    double sum = 1;
    if (install(SIGUSR1) == SIG_ERR || checked(SIGUSR2) || by_action(SIGALRM))
        return 1;
    int which = first_of(names, 3);
    if (set_all() != 0)
        return 2;
    for (int i = 0; i < 12; i++) {
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
        raise(i % 3 == 0 ? SIGUSR1 : i % 3 == 1 ? SIGUSR2 : SIGALRM);
        sum += seen + atof(getenv("SCALE")) * atof(getenv("SHIFT"));
        seen = 0;
    }
    printf("%d %.17g %s\n", which, sum, setlocale(LC_NUMERIC, NULL));
    return 0;
}
