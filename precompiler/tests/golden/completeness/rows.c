/* Rows of a matrix: each is a block of its own, and the same name again replaces a register. */
#include <stdio.h>
#include <stdlib.h>

static double *new_row(int m)
{
    double *row = calloc(m, sizeof *row);
#pragma cccp register(row[m])
    return row;
}

static double sweep(double **rows, int n, int m)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            rows[i][j] += i + j;
            sum += rows[i][j];
        }
    return sum;
}

static double registered_in_one_function(int n, int m)
{
    double sum = 0;
    double **rows = malloc(n * sizeof *rows);
#pragma cccp register(rows[n], sum, n, m)
    for (int i = 0; i < n; i++) {
        double *row = calloc(m, sizeof *row);
#pragma cccp register(row[m])
        rows[i] = row;
    }
    int t;
#pragma cccp register(t)
    for (t = 0; t < 10; t++) {
        /* must: rows[…][…] missing */
        /* should: rows[…] held */
#pragma cccp checkpoint name(one)
        sum += sweep(rows, n, m);
    }
    return sum;
}

static double registered_by_a_function_for_each(int n, int m)
{
    double sum = 0;
    double **rows = malloc(n * sizeof *rows);
#pragma cccp register(rows[n], sum, n, m)
    for (int i = 0; i < n; i++)
        rows[i] = new_row(m);
    int t;
#pragma cccp register(t)
    for (t = 0; t < 10; t++) {
        /* should: rows[…][…] held */
#pragma cccp checkpoint name(each)
        sum += sweep(rows, n, m);
    }
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
#pragma cccp init
    double sum = registered_in_one_function(argc + 3, 5);
#pragma cccp register(sum)
    sum += registered_by_a_function_for_each(argc + 3, 5);
    printf("%g\n", sum);
#pragma cccp shutdown
    return 0;
}
