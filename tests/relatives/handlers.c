/* Handlers in a table of another file, and one that a macro with statements of its own installs. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/time.h>
typedef struct { struct sigaction act; int number; } entry;
void prepare(entry *e, int n);
extern long beats;
long hits(void);
#define ON(sig, h) do { struct sigaction a_; memset(&a_, 0, sizeof a_); a_.sa_handler = (h); sigaction((sig), &a_, NULL); } while (0)
static struct { volatile long hits; } st;
static void hit(int s) { st.hits += s; }
int main(void)
{
    long sum = 0;
    entry *table = calloc(2, sizeof *table);
    prepare(table, 2);
    for (int i = 0; i < 2; i++) sigaction(table[i].number, &table[i].act, NULL);
    ON(SIGWINCH, hit);
    for (long i = 0; i < 60; i++) {
 for (int k = 0; k < 1000; k++) sum += k;
        if (i % 10 == 5) raise(SIGUSR1);
        if (i % 7 == 5) kill(getpid(), SIGUSR2);
        if (i % 9 == 5) raise(SIGWINCH);
        sum = (sum * 3 + beats + hits() + st.hits) % 1000003;
    }
    printf("%ld %ld %ld\n", sum, beats, st.hits);
    return 0;
}
