/* A part of the program that was left out: its struct has no members anywhere, and pointers to it are null. */
#include <stdio.h>
#include <stdlib.h>

#include "accelerator.h"

struct solver { int n; double *x; struct accelerator *accelerator; };

static struct solver *make(int n)
{
    struct solver *solver = malloc(sizeof *solver);
    solver->n = n;
    solver->x = calloc(n, sizeof *solver->x);
    solver->accelerator = accelerator_make(n);
    return solver;
}

int main(void)
{
    struct solver *solver = make(100);
    double sum = 0;
    for (int step = 0; step < 50; step++) {
        for (int i = 0; i < solver->n; i++)
            solver->x[i] = 0.5 * solver->x[i] + i + step;
        if (solver->accelerator != NULL)
            accelerator_step(solver->accelerator, solver->x);
    }
    for (int i = 0; i < solver->n; i++)
        sum += solver->x[i];
    printf("%.17g\n", sum);
    free(solver->x);
    free(solver);
    return 0;
}
