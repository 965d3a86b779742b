/* One macro, on a line of its own, makes the calls that install all handlers, and another that puts the earlier ones back. */
#include <signal.h>
#include <stdio.h>

#define SIGNALS SIGNAL(SIGUSR1) SIGNAL(SIGUSR2) SIGNAL(SIGHUP)
#define REMEMBER(number) kinds |= 1 << number

static int seen[3], kinds;

#define SIGNAL(number) static void (*before_##number)(int);
SIGNALS
#undef SIGNAL

static void note(int number)
{
    seen[number == SIGUSR1 ? 0 : number == SIGUSR2 ? 1 : 2]++;
}

static void install(void)
{
#define SIGNAL(number) before_##number = signal(number, note); REMEMBER(number);
    SIGNALS
#undef SIGNAL
}

static void put_back(void)
{
#define SIGNAL(number) signal(number, before_##number);
    SIGNALS
#undef SIGNAL
}

int main(void)
{
    static const int numbers[3] = {SIGUSR1, SIGUSR2, SIGHUP};
    double sum = 0;
    install();
    for (int pass = 0; pass < 20; pass++) {
        raise(numbers[pass % 3]);
        for (int step = 0; step < 1000; step++)
            sum += 0.5 * sum + seen[step % 3] - 0.5 * sum;
    }
    put_back();
    printf("%d %d %d %d %g %d\n", seen[0], seen[1], seen[2], kinds, sum, signal(SIGHUP, SIG_DFL) == SIG_DFL);
    return 0;
}
