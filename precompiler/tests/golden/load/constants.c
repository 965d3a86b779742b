/* The set-up has more loops inside each other, but constants say that they are short; the first iterations are only a few. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 1400
#define PER_ROW 7
#define STEPS 15

static int rows;
static double v[ROWS][PER_ROW + 1];

static void widen(int *n)
{
    *n = *n + 1;
}

static void make(int n, int most)
{
    int nzv;
    for (int i = 0; i < n; i++) { /* not selected */
        nzv = most;
        widen(&nzv);
        for (int j = 0; j < nzv; j++) /* not selected */
            for (int k = 0; k < nzv; k++) /* not selected */
                v[i][j % PER_ROW] += 1.0 / (k + i + 1);
    }
}

static double multiply(const double *x, int n, int count)
{
    double sum = 0;
    for (int i = 0; i < n; i++) /* not selected */
        for (int k = 0; k < count; k++) /* not selected */
            sum += x[i] * v[i][k % PER_ROW];
    return sum;
}

int main(int argc, char **argv)
{
    static double x[ROWS];
    /* A command line gives it: nobody knows. */
    int count = 2;
    double zeta = 0;

    if (argc > 1)
        count = atoi(argv[1]);
    rows = ROWS;
    make(rows, PER_ROW);
    for (int step = 0; step < STEPS; step++) { /* selected */
        zeta += multiply(x, rows, count);
        x[step] = zeta;
    }
    printf("%g\n", zeta);
    return 0;
}
