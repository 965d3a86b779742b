/* A macro with declarations and a loop of its own installs handlers, and another one gives back those of before. */
#include <signal.h>
#include <stdio.h>

static volatile long hits;
static void hit(int number) { hits += number; }
static void old(int number) { hits -= number; }

#define SET_UP(handler) \
    const int numbers[] = {SIGUSR1, SIGUSR2}; \
    const int count = sizeof(numbers) / sizeof(numbers[0]); \
    typedef void (*handlers)(int); \
    handlers previous[count]; \
    for (int i = 0; i < count; i++) { \
        int number = numbers[i]; \
        handlers before = signal(number, handler); \
        if (before == SIG_ERR) { fprintf(stderr, "no handler for signal %d\n", number); } \
        previous[i] = before; \
    }
#define GIVE_BACK() \
    for (int i = 0; i < count; i++) { \
        handlers before = previous[i]; \
        if (before == SIG_IGN || before == SIG_ERR) continue; \
        if (signal(numbers[i], before) == SIG_ERR) { fprintf(stderr, "no handler\n"); } \
    }

static long work(long passes)
{
    long sum = 0;
    SET_UP(hit);
    for (long i = 0; i < passes; i++) {
        for (int k = 0; k < 1000; k++) sum += k;
        if (i % 7 == 5) raise(i % 2 ? SIGUSR1 : SIGUSR2);
        sum = (sum * 3 + hits) % 1000003;
    }
    GIVE_BACK();
    raise(SIGUSR2);
    return sum;
}

int main(void)
{
    signal(SIGUSR1, old);
    signal(SIGUSR2, old);
    long sum = work(40);
    printf("%ld %ld\n", sum, hits);
    return 0;
}
