/* A signal that the program has sent itself and blocked: it waits across checkpoints, and is handled when the program wants it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
static volatile sig_atomic_t hits, alarms;
static void handler(int signal) { if (signal == SIGUSR2) hits++; else alarms++; }
int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR2, &action, NULL);
    sigaction(SIGVTALRM, &action, NULL);
    sigset_t mask, waiting;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR2);
    sigaddset(&mask, SIGVTALRM);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    struct itimerval once = {{0, 0}, {0, 1000}};
    setitimer(ITIMER_VIRTUAL, &once, NULL);
    do
        sigpending(&waiting);
    while (!sigismember(&waiting, SIGVTALRM));
    raise(SIGUSR2);
    long sum = 0;
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 500; k++) sum = sum * 3 + k % 7;
        sigpending(&waiting);
        sum = sum * 5 + sigismember(&waiting, SIGUSR2) + 2 * sigismember(&waiting, SIGVTALRM);
        if (i == 5) {
            sigprocmask(SIG_UNBLOCK, &mask, NULL);
            sigprocmask(SIG_BLOCK, &mask, NULL);
        }
    }
    printf("%ld %d %d\n", sum, (int)hits, (int)alarms);
    return 0;
}
