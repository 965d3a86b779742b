/* What is set in libraries behind labels and in macros with statements of their own. */
#include <stdio.h>
#include <signal.h>
#include <string.h>
#include <locale.h>
#include <stdlib.h>
static volatile sig_atomic_t a, b, c, d;
static void on_a(int s) { a += s > 0; }
static void on_b(int s) { b += s > 0; }
static void on_c(int s) { c += s > 0; }
static void on_d(int s) { d += s > 0; }
#define QUIETLY(call) do { int old_ = 0; call; (void)old_; } while (0)
#define BOTH(x, y) { signal(x, on_b); signal(y, on_c); }
static void prepare(int which)
{
    switch (which) {
    case 0: break;
    case 1: signal(SIGUSR1, on_a); break;
    default: abort();
    }
    if (which) BOTH(SIGUSR2, SIGWINCH)
    QUIETLY(setenv("NAME", "value", 1));
}
int main(int argc, char **argv)
{
    long sum = (long)strlen(argv[0]) * 0;
    prepare(argc);
    struct sigaction act;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_d;
    if (sigaction(SIGURG, &act, NULL) != 0) return 1;
    for (long i = 0; i < 60; i++) {
        for (int k = 0; k < 1000; k++) sum += k;
        raise(i % 3 ? SIGUSR1 : SIGUSR2);
        if (i % 4 == 1) raise(SIGWINCH);
        if (i % 4 == 2) raise(SIGURG);
        sum = (sum * 3 + a + b * 2 + c * 3 + d * 4 + getenv("NAME")[1]) % 1000003;
    }
    printf("%ld %d %d %d %d\n", sum, a, b, c, d);
    return 0;
}
