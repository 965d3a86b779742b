/* What each thread has of its own lives from one parallel region to the next: random numbers in another file, and what it has counted. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void start(unsigned long seed);
double draw(void);

static struct tally { long hits; double largest; } tally;
#pragma omp threadprivate(tally)

static void throw_darts(int n, double *sums)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        double x = draw(), y = draw();
        sums[i] += x;
        if (x * x + y * y < 1)
            tally.hits++;
        if (x > tally.largest)
            tally.largest = x;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 300;
    double *sums = calloc(n, sizeof *sums);
    omp_set_num_threads(3);
    #pragma omp parallel
    {
        start(17);
        tally.hits = 0;
        tally.largest = 0;
    }
    for (int step = 0; step < 30; step++)
        throw_darts(n, sums);
    long hits = 0;
    double sum = 0, largest = 0;
    #pragma omp parallel
    {
        #pragma omp critical
        {
            hits += tally.hits;
            largest = tally.largest > largest ? tally.largest : largest;
        }
    }
    for (int i = 0; i < n; i++)
        sum += sums[i];
    printf("%ld %.17g %.17g\n", hits, sum, largest);
    free(sums);
    return 0;
}
