/* The handler is a member of a struct that a helper fills.
   refused: `sigaction` calls `caught`, and is not precompiled */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t signals;

static void caught(int number)
{
    (void)number;
    signals++;
#pragma cccp checkpoint
}

static void install(struct sigaction *action, int number)
{
    memset(action, 0, sizeof *action);
    action->sa_handler = caught;
    sigaction(number, action, 0);
}

int main(void)
{
    struct sigaction action;
#pragma cccp init
#pragma cccp register(signals)
    install(&action, SIGUSR1);
    raise(SIGUSR1);
    printf("%d\n", (int)signals);
#pragma cccp shutdown
    return 0;
}
