/* The ways in which a restart brings something back, and what is forgotten. */
#include <stdio.h>
#include <stdlib.h>

static int counted, mode, set_early, never_set, late;
static double table[8], twice[8];

static void use(double weight, const char *name, int times)
{
    double scale = 0.5;
    double sum = 0.0;
    times++;
    /* must: times missing, sum missing; should: weight held, name held, scale held */
#pragma cccp checkpoint
    sum += weight * scale;
    printf("%s %g %d\n", name, sum, times);
}

int main(int argc, char **argv)
{
    set_early = argc;
#pragma cccp init
    int n = argc + 5, forgotten = argc;
    mode = argc;
    late = 1;
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    FILE *log;
#pragma cccp register(n, mode, counted)
#pragma cccp execute on restart
    log = fopen("log", "a");
    for (int i = 0; i < 8; i++)
        twice[i] = 2.0 * i;
#pragma cccp end execute
    if (argc > 1) {
#pragma cccp register(late)
    }
#pragma cccp register(u[n], table[4])
    for (int i = 0; i < n; i++) {
        table[i % 8] += 1.0;
        u[i] = v[i] = i;
    }
    for (; counted < n; counted++) {
        /* must: forgotten missing, v[…] missing, late missing, table missing */
        /* should: n held, mode held, u held, u[…] held, log held, twice held, set_early held, never_set held, counted held */
#pragma cccp checkpoint
        u[counted] += v[counted] + table[counted % 8] + twice[counted % 8];
        fprintf(log, "%d %d %d %d %d\n", forgotten, mode, late, set_early, never_set);
    }
    use(u[2], argv[0], n);
    printf("%g\n", u[1]);
#pragma cccp shutdown
    return 0;
}
