/* Vectors and matrices whose first index is not zero, as in Numerical Recipes: what the program keeps of a block points before it. A
   loop over jobs, and inside of it the work of one. */
#include <stdio.h>
#include <stdlib.h>

static double *vector(long low, long high)
{
    double *v = malloc((size_t)(high - low + 1) * sizeof *v);
    return v - low;
}

static void free_vector(double *v, long low)
{
    free(v + low);
}

static double **matrix(long low, long high)
{
    long size = high - low + 1;
    double **m = malloc((size_t)(size + 1) * sizeof *m);
    m += 1;
    m -= low;
    m[low] = malloc((size_t)(size * size + 1) * sizeof **m);
    m[low] += 1;
    m[low] -= low;
    for (long i = low + 1; i <= high; i++)
        m[i] = m[i - 1] + size;
    return m;
}

static double run(int low, int high, double start)
{
    double *v = vector(low, high);
    double **m = matrix(low, high);
    double change;
    int passes = 0;
    for (int i = low; i <= high; i++) {
        v[i] = start * i;
        for (int j = low; j <= high; j++)
            m[i][j] = start / (i + j);
    }
    do {
        change = 0;
        for (int i = low + 1; i < high; i++) {
            double before = v[i];
            v[i] = 0.25 * (v[i - 1] + 2 * v[i] + v[i + 1]) + 1e-3 * m[i][i];
            m[i][i] = 0.5 * (m[i][i] + m[i - 1][i + 1]);
            change += (v[i] - before) * (v[i] - before);
        }
        passes++;
    } while (change > 1e-9 && passes < 50);
    change += v[(low + high) / 2];
    free_vector(v, low);
    return change;
}

int main(void)
{
    FILE *jobs = fopen("jobs.txt", "w+");
    fputs("1.5 2.5", jobs);
    rewind(jobs);
    double start, all = 0;
    while (fscanf(jobs, "%lf", &start) == 1)
        all += run(5, 40, start);
    printf("%.17g\n", all);
    fclose(jobs);
    return 0;
}
