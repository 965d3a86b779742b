#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Registered arrays of inner blocks, execute blocks in inner scopes, regions in regions, calls through members. */
static double total;
struct ctx { int n; double *data; FILE *out; double (*kernel)(struct ctx *, int); int hist[4]; };
static double plain(struct ctx *c, int k) { return c->data[k % c->n] * 2; }
static double deep(struct ctx *c, int k)
{
    double r = 0;
    int i = 0;
#pragma cccp register(r, i)
    while (i < 3) {
#pragma cccp checkpoint
        r += c->data[(k + i) % c->n];
        i++;
    }
    return r;
}
static int inner_arrays(struct ctx *c, int rounds)
{
    int round, acc = 0;
#pragma cccp register(round, acc)
    for (round = 0; round < rounds; round++) {
        int a[3] = {round, round + 1, round + 2};
        double v[round + 1];
        for (int k = 0; k <= round; k++)
            v[k] = k * 0.5;
#pragma cccp register(a, v)
        if (round == 1)
            continue;
        {
            struct { int x; } dummy = {3};
            long b[2] = {acc, round};
#pragma cccp register(b)
            (void)dummy;
            total += c->kernel(c, round);
            b[0] += a[2];
            if (round == 4)
                break;
            double w[2][round + 2];
            w[1][round] = b[0] + v[round];
#pragma cccp register(w)
            total += deep(c, round);
            acc += (int)w[1][round];
        }
        acc += a[1] + (int)v[round];
    }
    return acc;
}
static void exec_inner(struct ctx *c)
{
    for (int pass = 0; pass < 2; pass++) {
        if (c->n > 0) {
            int opened, twice = pass * 2;
            char name[16];
#pragma cccp execute on restart
            opened = pass + 10;
            snprintf(name, sizeof name, "p%d", twice);
#pragma cccp end execute
            int i;
#pragma cccp register(pass, i)
            for (i = 0; i < 2; i++) {
                total += opened + strlen(name) + (name[1] - '0');
#pragma cccp checkpoint
            }
        }
    }
}
int main(int argc, char **argv)
{
    struct ctx c;
    int step, sum = 0;
    c.n = 5;
    c.data = malloc(5 * sizeof(double));
    for (int i = 0; i < 5; i++)
        c.data[i] = i + 0.25;
    memset(c.hist, 0, sizeof c.hist);
    c.out = stdout;
    (void)argc, (void)argv;
#pragma cccp init
    c.kernel = plain;
#pragma cccp register(step, sum, total, c.data[c.n], c.hist, c.kernel)
    for (step = 0; step < 3; step++) {
        c.kernel = step == 1 ? deep : plain;
        sum += inner_arrays(&c, 6);
        exec_inner(&c);
        c.data[step] += sum;
        c.hist[step] = sum;
    }
    printf("%d %.17g %d\n", sum, total, c.hist[2]);
#pragma cccp shutdown
    return 0;
}
