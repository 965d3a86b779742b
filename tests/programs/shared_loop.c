/* A loop that threads share, with next to nothing in an iteration: what it costs to write it out is seen best. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = (argc > 1 ? atol(argv[1]) : 100) * 1000000;
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        double x = (i + 0.5) / n;
        sum += 4 / (1 + x * x);
    }
    printf("%.9f\n", sum / n);
    return 0;
}
