/* What a function registers when it is called for the first time only stays registered, and so does memory behind
 * a local pointer of a function that has returned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell { double x; struct cell *next; int (*f)(int); const char *label; unsigned a:3, b:7; };
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static double *cache; static int ncache;
static double *held(int n) {
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++) u[i] = i;
#pragma cccp register(u[n])
    return u;
}
static void work(int step, struct cell *c, int n, double *v) {
    if (!cache) {
        ncache = 5;
        cache = calloc(ncache, sizeof *cache);
#pragma cccp register(ncache, cache[ncache])
    }
    for (int i = 0; i < ncache; i++) cache[i] += step * i;
    for (int i = 0; i < n; i++) { c[i].x += c[i].f(step) + (c[i].next ? c[i].next->x : 0); c[i].a++; c[i].b += 3; }
    v[step % 7] += 1;
#pragma cccp checkpoint
    printf("%d: %g %g %u %u %s\n", step, cache[4], c[0].x, c[0].a, c[0].b, c[1].label);
}
int main(void) {
    int n = 6, step = 0;
    struct cell *c = 0;
#pragma cccp init
    c = calloc(n, sizeof *c);
    for (int i = 0; i < n; i++) { c[i].next = i + 1 < n ? &c[i + 1] : 0; c[i].f = i % 2 ? twice : thrice; c[i].label = i % 2 ? "odd" : "even"; }
    double *v = held(7);
    double *w = malloc(3 * sizeof *w), *z = malloc(4 * sizeof *z);
    memset(w, 0, 24); memset(z, 0, 32);
#pragma cccp register(n, c[n], step, v, w[3], z[4])
    for (step = 0; step < 20; step++) {
        work(step, c, n, v);
        w[step % 3] += step; z[step % 4] -= step;
        if (step == 10) { w = realloc(w, 3 * sizeof *w); }
    }
    printf("%g %g %g %g\n", v[0], v[3], w[1], z[2]);
    free(w); free(z); free(c);
#pragma cccp shutdown
    return 0;
}
