/* Pointers that change places: an item brings what its pointer leads to at the checkpoint, and nothing else. */
#include <stdlib.h>

static void use(double *u, double **a, int n)
{
    for (int i = 0; i < n; i++) {
        if (u != NULL)
            u[i] += i;
        if (a != NULL)
            a[i][i] += i;
    }
}

static double **rows(int n)
{
    double **all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = calloc(n, sizeof **all);
    return all;
}

static void blocks(int n)
{
    double *u = calloc(n, sizeof *u), *w = calloc(n, sizeof *w);
    int t;
#pragma cccp register(t, n, u[n], w[n])
    for (t = 0; t < 10; t++) {
        /* should: u held */
        /* should: w held */
#pragma cccp checkpoint name(both)
        use(u, NULL, n);
        double *last = u;
        u = w;
        w = last;
    }
}

static void lengths(int n)
{
    double **a = rows(n), **b = rows(n), **last;
    int t;
#pragma cccp register(t, n, a[n], follow(b))
    for (t = 0; t < 10; t++) {
        /* must: a[…][…] missing */
#pragma cccp checkpoint name(rows)
        use(NULL, a, n);
        last = a;
        a = b;
        b = last;
    }
}

static void all(int n)
{
    double **a = rows(n), **b = rows(n), **last;
    int t;
#pragma cccp register(t, n, follow(a), follow(b))
    for (t = 0; t < 10; t++) {
        /* should: a held */
        /* should: b[…][…] held */
#pragma cccp checkpoint name(followed)
        use(NULL, a, n);
        last = a;
        a = b;
        b = last;
    }
}

static double sweep(double *from, double *to, int n)
{
    /* should: from held */
    /* should: to held */
#pragma cccp checkpoint name(handed)
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + from[i + 1];
    return to[1];
}

static double handed(int n)
{
    double *u = calloc(n, sizeof *u), *w = calloc(n, sizeof *w), sum = 0;
    int t;
#pragma cccp register(t, n, sum, u[n], w[n])
    for (t = 0; t < 10; t++) {
        sum += sweep(u, w, n);
        double *last = u;
        u = w;
        w = last;
    }
    return sum;
}

struct pair {
    double *now, *next;
};

static void member(int n)
{
    struct pair one = {calloc(n, sizeof *one.now), calloc(n, sizeof *one.next)};
    int t;
#pragma cccp register(t, n, one, one.now[n])
    for (t = 0; t < 10; t++) {
        /* must: one.next[…] missing */
#pragma cccp checkpoint name(one_of_two)
        use(one.now, NULL, n);
        double *last = one.now;
        one.now = one.next;
        one.next = last;
    }
}

static void members(int n)
{
    struct pair two = {calloc(n, sizeof *two.now), calloc(n, sizeof *two.next)};
    int t;
#pragma cccp register(t, n, two, two.now[n], two.next[n])
    for (t = 0; t < 10; t++) {
        /* should: two.now held */
        /* should: two.next held */
#pragma cccp checkpoint name(two_of_two)
        use(two.now, NULL, n);
        double *last = two.now;
        two.now = two.next;
        two.next = last;
    }
}

int main(int argc, char **argv)
{
#pragma cccp init
    blocks(argc);
    lengths(argc);
    all(argc);
    member(argc);
    members(argc);
#pragma cccp shutdown
    return handed(argc) > 0;
}
