/* longjmp, functions that never return, handlers of signals and of the end. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf again;
static int after_jump, on_signal, at_end, not_at_all = 1, only_in_handler;

static void handler(int number)
{
    only_in_handler = 3;
    on_signal += number;
    only_in_handler += 1;
}

static void last(void)
{
    printf("%d\n", at_end);
}

static void fail(int code)
{
    if (code)
        longjmp(again, code);
}

static void leave(void)
{
    exit(3);
}

static int inner(int n)
{
    int local = n;
    /* must: after_jump live, on_signal live, at_end live, main:tries live; should: not_at_all dead, local dead, only_in_handler dead */
#pragma cccp checkpoint
    not_at_all = n;
    local = 2;
    fail(n);
    return local + not_at_all;
}

int main(int argc, char **argv)
{
    volatile int tries = argc;
    signal(SIGUSR1, handler);
    atexit(last);
    after_jump = argc;
    on_signal = 1;
    at_end = argc;
    if (setjmp(again)) {
        printf("%d %d\n", after_jump, tries);
        leave();
    }
    printf("%d\n", inner(argc));
    return 0;
}
