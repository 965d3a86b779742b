/* A handler of which no file takes the address: it is found by its name in the run. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;

void count_signals(int number)
{
    seen += number == SIGWINCH;
}

int main(void)
{
    typedef void (*handler)(int);
    long sum = 0;
    int step;
#pragma cccp init
    void *found = dlsym(NULL, "count_signals");
    signal(SIGWINCH, (handler)found);
#ifdef UNUSED
    found = NULL;
#endif
    for (step = 0; step < 20; step++) {
#pragma cccp register(sum, seen, step)
#pragma cccp checkpoint
        raise(SIGWINCH);
        sum = sum * 3 + seen;
    }
#pragma cccp shutdown
    printf("%ld\n", sum);
    return 0;
}
