/* The other file of handlers.c. */
#include <signal.h>
#include <string.h>
long beats;
static long ticks[2];
typedef struct { struct sigaction act; int number; } entry;
long hits(void) { return ticks[0] * 2 + ticks[1]; }
static void one(int s, siginfo_t *i, void *c) { beats += s == i->si_signo; ticks[0]++; (void)c; }
static void two(int s) { ticks[1] += s; beats ^= ticks[1]; }
void prepare(entry *e, int n)
{
    for (int i = 0; i < n; i++) { sigemptyset(&e[i].act.sa_mask); }
    e[0].number = SIGUSR1; e[0].act.sa_sigaction = one; e[0].act.sa_flags = SA_SIGINFO;
    e[1].number = SIGUSR2; e[1].act.sa_handler = two;
}
