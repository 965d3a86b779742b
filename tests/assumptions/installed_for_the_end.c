// auto resumes 3 11
// assumes nothing
/* What atexit, on_exit and sigaction install reads memory that grows and moves in the loop: they are installed again, and read
   it as it is at the end. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct notes {
    double *all;
    long used, room;
};

static struct notes notes;
static long *marks;
static long marked;
static volatile sig_atomic_t seen;

static void at_end(void)
{
    double sum = 0;
    for (long i = 0; i < notes.used; i++)
        sum += notes.all[i];
    printf("end %ld %.17g\n", notes.used, sum);
    free(notes.all);
    notes.all = NULL;
    notes.used = notes.room = 0;
}

static void on_end(int status, void *what)
{
    struct notes *own = what;
    printf("status %d %ld %ld\n", status, own->used, marked ? marks[marked - 1] : -1);
}

static void on_signal(int s)
{
    seen += s == SIGUSR1 && notes.used > 0;
}

static void note(struct notes *to, double x)
{
    if (to->used == to->room) {
        to->room = to->room ? 2 * to->room : 4;
        to->all = realloc(to->all, to->room * sizeof *to->all);
    }
    to->all[to->used++] = x;
}

typedef void (*Ending)(void);

static void install(Ending ending)
{
    atexit(ending);
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    install((Ending)at_end);
    on_exit(on_end, &notes);
    sigaction(SIGUSR1, &action, NULL);
    double x = 1;
    for (int i = 0; i < 15; i++) {
        for (int k = 0; k < 50; k++)
            x = 0.99 * x + k;
        note(&notes, x);
        marks = realloc(marks, (marked + 1) * sizeof *marks);
        marks[marked++] = (long)x % 97;
        raise(SIGUSR1);
    }
    printf("%.17g %d\n", x, (int)seen);
    return 0;
}
