/* Two phases of equal weight, loops of gotos and recursion, and functions that nobody calls. */
#include <stdio.h>
#include <stdlib.h>

struct tree { struct tree *left, *right; double value; };

static double sum(struct tree *tree)
{
    double found = 0;
    if (tree == NULL)
        return 0;
    for (int i = 0; i < 3; i++) /* not selected */
        found += tree->value * i;
    return found + sum(tree->left) + sum(tree->right);
}

static void never_called(double *u, int n)
{
    for (int i = 0; i < n; i++) /* excluded: the program's own code never comes */
        for (int k = 0; k < n; k++) /* excluded: the program's own code never comes */
            u[i] += k;
}

static void apply(double *u, int n, double by)
{
    for (int i = 0; i < n; i++) /* not selected */
        for (int k = 0; k < n; k++) /* not selected */
            u[i] += by * u[k];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = 10, step = 0;
    double *u = calloc(n, sizeof *u);
    struct tree leaf = {NULL, NULL, 1.0};

    while (steps > step) { /* selected */
        apply(u, n, 0.5);
        step++;
    }
    step = 0;
again: /* selected */
    apply(u, n, 0.25);
    if (step++ < steps)
        goto again;
#pragma omp parallel for
    for (int i = 0; i < n; i++) /* excluded: it is inside an OpenMP region */
        for (int k = 0; k < n; k++) /* excluded: it is inside an OpenMP region */
            u[i] += k;
    for (int i = 0; i < 5; i++) /* not selected */
        u[i] = 0;
    printf("%g %g\n", u[0], sum(&leaf));
    free(u);
    (void)never_called;
    return 0;
}
