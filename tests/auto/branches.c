/* Memory that only one way through the set-up allocates, and pointers that become NULL or stop being so on the way. */
#include <stdio.h>
#include <stdlib.h>

typedef double *vector;

struct solver {
    long n;
    vector coarse, fine;
};

static double *forward, *backward;

static vector room(long n, int wanted)
{
    return wanted ? calloc(n, sizeof(double)) : NULL;
}

static double total(const double *values, long n)
{
    double sum = 0;
    for (long i = 0; values != NULL && i < n; i++)
        sum += values[i];
    return sum;
}

int main(int argc, char **argv)
{
    long n = 50;
    int back = argc > 1;
    struct solver solver = {n, NULL, NULL};
    if (back)
        backward = room(n, 1);
    else
        forward = room(n, 1);
    solver.coarse = room(n, back);
    solver.fine = room(n, !back);
    double x = 0;
    for (int step = 0; step < 60; step++) {
        if (step == 20)
            solver.coarse = room(n, 1);
        if (step == 40) {
            free(solver.fine);
            solver.fine = NULL;
        }
        if (solver.coarse != NULL)
            solver.coarse[step % n] += 3;
        if (solver.fine != NULL)
            solver.fine[step % n] += 2;
        x += back ? (backward[step % n] += step) : (forward[step % n] += step);
        x += total(solver.coarse, n) - total(solver.fine, n);
    }
    printf("%.17g %s\n", x, argv[0] ? "" : "?");
    return 0;
}
