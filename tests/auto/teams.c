/* A number of threads that is set in a shared loop holds for the teams that its threads make, and is gone with them; the time loop is
   around all of it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double weigh(const double *from, int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += from[i] / (i + 1);
    return sum;
}

static void advance(double **rows, int n)
{
    omp_set_num_threads(omp_get_max_threads());
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; row++) {
        omp_set_num_threads(1);
        double sum = weigh(rows[row], n);
        for (int i = 0; i < n; i++)
            rows[row][i] = 0.5 * rows[row][i] + sum / (n + i);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    double **rows = malloc(n * sizeof *rows);
    for (int row = 0; row < n; row++) {
        rows[row] = malloc(n * sizeof **rows);
        for (int i = 0; i < n; i++)
            rows[row][i] = row + 1.0 / (i + 1);
    }
    for (int step = 0; step < 30; step++)
        advance(rows, n);
    double sum = 0;
    for (int row = 0; row < n; row++)
        sum += rows[row][row];
    printf("%.17g\n", sum);
    return 0;
}
