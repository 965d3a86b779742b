/* One function for several objects: a call touches those that it is handed, and no others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int one, two; };

static double sum(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static double twice(double *w) { return 2 * sum(w + 1, 2); }

static void step(struct pair *p) { p->one += p->two; }

static int *global;
static int look(int *p, int again)
{
    int *kept = p;
    global = again ? global : p;
    return *kept + *global;
}

static int walk(int *p)
{
    while (*p)
        p++;
    return *p;
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int circle(int *p, int depth) { return depth ? circle(p, depth - 1) : *p; }

static void (*chosen)(struct pair *);

int main(int argc, char **argv)
{
    double a[4] = {argc, 1}, b[4] = {argc, 2}, c[4] = {argc, 3};
    struct pair p = {argc, 1}, q = {argc, 2}, r = {argc, 3};
    int x = argc, y = argc, numbers[3] = {argc, 2, 0}, others[3] = {argc, 0, 0}, sorted[3] = {argc, 5, 4};
    int first = argc, second = argc;
    double *heap = calloc(4, sizeof *heap);
    heap[0] = sum(a, 4) + sum(b, 4) + twice(c) + sum(heap, 1);
    step(&p), step(&q);
    x = look(&x, 0) + look(&y, 0) + walk(numbers) + walk(others);
    qsort(sorted, 3, sizeof *sorted, order);
    qsort(others, 3, sizeof *others, order);
    first = circle(&first, 2) + circle(&second, 1);
    chosen = argc > 5 ? step : 0;
    if (chosen)
        chosen(&r);
    /* must: a live, p.one live, p.two live, x live, numbers live, sorted live, first live, y live, c live, r.two live */
    /* should: b dead, q.one dead, q.two dead, heap[] dead */
#pragma cccp checkpoint
    printf("%g %g\n", sum(a, 4), twice(c));
    step(&p);
    if (argc > 5)
        chosen(&r);
    x = look(&x, 1) + walk(numbers);
    qsort(sorted, 3, sizeof *sorted, order);
    first = circle(&first, 2);
    printf("%d %d %d %d %d\n", p.one, r.one, x, sorted[0], first);
    memset(b, 0, sizeof b);
    return b[0] + (q.one = 1);
}
