/* Threads take unequally many jobs from a queue, and compute for themselves behind each checkpoint: in numbers, and in arrays that no
 * checkpoint holds. */
#include <omp.h>
#include <stdio.h>
#define JOBS 60
static double result[JOBS];
static int next_job;

static double work(int job)
{
    double part[8], sum = 0;
    int k;
#pragma cccp register(job, sum)
#pragma cccp checkpoint
    for (k = 0; k < 8; k++)
        part[k] = job * 0.25 + k;
    for (k = 0; k < 4000; k++) {
        part[k % 8] = part[(k + 3) % 8] * 0.999 + 0.001 * (k % 7);
        sum += part[k % 8];
    }
    return sum;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(result, next_job)
#pragma omp parallel
    {
        int job = -1, k = 0;
        double x = 0;
#pragma cccp register(job, k, x)
        for (;;) {
#pragma omp critical
            job = next_job < JOBS ? next_job++ : -1;
            if (job < 0)
                break;
            x = work(job);
            for (k = 0; k < 1 + job % 2; k++) {
#pragma cccp checkpoint
                for (int w = 0; w < 300; w++) {
                    double table[2][3];
                    table[w % 2][w % 3] = x;
                    x = x * 0.999 + 0.001 * table[w % 2][w % 3];
                }
            }
            result[job] = x;
        }
    }
    double t = 0;
    for (int i = 0; i < JOBS; i++)
        t += result[i] * (i + 1);
    printf("%.17g\n", t);
#pragma cccp shutdown
    return 0;
}
