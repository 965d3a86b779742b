/* What is set in libraries in initialisers, conditions, loops, arguments of `?`, and through a member. */
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
static volatile sig_atomic_t a, b, c, d, e;
static void on_a(int s) { a += s > 0; }
static void on_b(int s) { b += s > 0; }
static void on_c(int s) { c += s > 0; }
static void on_d(int s) { d += s > 0; }
static void on_e(int s) { e += s > 0; }
static int install(int s, void (*h)(int)) { int r = signal(s, h) == SIG_ERR; return r; }
static int maybe(int yes) { int r = yes ? install(SIGWINCH, on_c) : 0; return r; }
struct vt { int (*set)(const char *, const char *, int); };
static const struct vt vt = { setenv };
int main(int argc, char **argv)
{
    long sum = 0;
    int bad = install(SIGUSR1, on_a), k = 0;
    if (install(SIGUSR2, on_b)) return 1;
    bad += maybe(argc);
    while (k < 2 && setenv(k ? "TWO" : "ONE", k ? "two" : "one", 1) == 0) k++;
    vt.set("THREE", "three", 1);
    if (argc > 5) sum = 1; else signal(SIGURG, on_d);
    do signal(SIGCHLD, on_e); while (0);
    umask(027); nice(0);
    for (long i = 0; i < 60; i++) {
        for (int k = 0; k < 1000; k++) sum += k;
        raise(i % 3 ? SIGUSR1 : SIGUSR2);
        if (i % 4 == 1) raise(SIGWINCH);
        if (i % 4 == 2) raise(SIGURG);
        if (i % 4 == 3) raise(SIGCHLD);
        sum = (sum * 3 + a + b * 2 + c * 3 + d * 4 + e + getenv("ONE")[1] + getenv("TWO")[0] + getenv("THREE")[2]) % 1000003;
    }
    mode_t m = umask(0);
    printf("%ld %d %d %d %d %d %o %d\n", sum, a, b, c, d, e, m, bad);
    return 0;
}
