/* Each time step hands the numbers of the same elements to a function, one after the other. */
#include <stdio.h>
#include <stdlib.h>

static double *v, *weight;
static int *fired;
static long count;

static void connect(long rows, long columns)
{
    long next = 0;
    for (long i = 0; i < rows; i++) /* selected */
        for (long j = 0; j < columns; j++) { /* not selected */
            double sum = 0;
            for (long k = 0; k < columns; k++) /* not selected */
                for (int tries = rand(); tries % 7 != 0; tries /= 2) /* not selected */
                    sum += tries;
            weight[next++] = sum;
        }
    count = rows;
}

static void add(double *to, long i)
{
    to[i] += fired[i] ? weight[i] : -weight[i];
}

static void integrate(const long i)
{
    add(v, i);
    fired[i] = v[i] > 1;
}

int main(int argc, char **argv)
{
    long rows = atol(argv[1]), columns = atol(argv[2]);
    v = calloc(rows, sizeof *v);
    fired = calloc(rows, sizeof *fired);
    weight = calloc(rows * columns, sizeof *weight);
    connect(rows, columns);
    for (int step = 0; step < 1000; step++) /* selected */
        for (long i = 0; i < count; i++) /* not selected */
            integrate(i);
    printf("%g\n", v[0]);
    return argc;
}
