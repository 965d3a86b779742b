/* A queue of jobs: each thread takes as many as it comes to. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define JOBS 48
static double result[JOBS];
static int next_job;
int main(int argc, char **argv)
{
    int jobs = argc > 1 ? atoi(argv[1]) : JOBS;
#pragma omp parallel
    {
        int job = -1, k = 0;
        double x = 0;
        for (;;) {
#pragma omp critical
            job = next_job < jobs ? next_job++ : -1;
            if (job < 0)
                break;
            x = job;
            for (k = 0; k < 2 + job % 3; k++) {
                for (int w = 0; w < 300; w++)
                    x = x * 0.999 + 0.001 * (w % 7);
            }
            result[job] = x;
        }
    }
    double t = 0;
    for (int i = 0; i < jobs; i++) t += result[i] * (i + 1);
    printf("%.17g\n", t);
    return 0;
}
