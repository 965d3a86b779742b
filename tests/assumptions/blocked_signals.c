// auto resumes 7 20
// hand resumes 7 20
/* Signals that are blocked and free again in helpers; one is blocked before init and free at the checkpoint. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t count;
static void counts(int number) { count += number > 0; }

static void mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(how, &set, NULL);
}

#define BLOCKED(number) sigismember(&now, number)

int main(void)
{
    long sum = 0;
    int i;
    sigset_t now;
    signal(SIGUSR1, counts);
    mask(SIG_BLOCK, SIGUSR2);
#pragma cccp init
    mask(SIG_BLOCK, SIGUSR1);
    mask(SIG_BLOCK, SIGHUP);
    mask(SIG_UNBLOCK, SIGHUP);
    mask(SIG_UNBLOCK, SIGUSR2);
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i, count)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%ld %d %d %d\n", sum, BLOCKED(SIGUSR1), BLOCKED(SIGUSR2), BLOCKED(SIGHUP));
    raise(SIGUSR1);
    printf("%d\n", (int)count);
    mask(SIG_UNBLOCK, SIGUSR1);
    printf("%d\n", (int)count);
#pragma cccp shutdown
    return 0;
}
