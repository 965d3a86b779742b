#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
/* Items of all kinds, execute blocks, regions, constants. */
enum colour { RED, GREEN };
struct inner { short s[2]; double complex z; };
struct outer {
    char name[8];
    struct inner in[2];
    enum colour colour;
    unsigned flag : 1, wide : 20;
    union { int i; float f; } either;
    struct { double x, y; } at;
    struct { int anonymous; };
    struct outer *next;
    int (*compare)(int);
    FILE *log;
};
struct flexible { int n; long item[]; };
static struct outer global[3];
static int compare(int x) { return x; }
static double smooth(struct outer *o, int n, FILE *log)
{
    const double weights[3] = {0.25, 0.5, 0.25};
    int width = n + 2;
    double row[width], (*table)[n] = malloc(sizeof(double[n][n]));
    struct flexible *many = calloc(1, sizeof *many + 4 * sizeof(long));
#pragma cccp register(width, row, table[n], many[1], many->item[4], o->in, o->either)
    row[0] = o->colour;
    for (int round = 0; round < 3; round++) {
        float inner[round + 1];
        int fixed[4] = {0};
#pragma cccp register(round, inner, fixed)
        inner[0] = 1;
        if (round == 1)
            continue;
#pragma cccp execute on restart
        fprintf(log, "%d %g\n", round, weights[1]);
#pragma cccp end execute
#pragma cccp checkpoint
        row[1] += weights[round] + inner[0] + fixed[0];
    }
    free(table);
    free(many);
    return row[1];
}
int main(int argc, char **argv)
{
    FILE *log;
    double *const u = malloc(100);
    struct outer *o = &global[1];
    const char *name = "log";
    int step;
#pragma cccp init
#pragma cccp execute on restart
    log = fopen(argc > 1 ? argv[1] : name, "a");
#pragma cccp end execute
    global[0].compare = compare;
#pragma cccp register(global, u[2:10], step, o)
    for (step = 0; step < 3; step++) {
        u[3] += smooth(o, 3 + step, log);
    }
#pragma cccp shutdown
    fclose(log);
    return u[3] > 0;
}
