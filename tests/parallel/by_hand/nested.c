/* A function with a region of its own, called by each thread of another one. OpenMP gives it one thread, as long as teams do not nest. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double out[8];
static double solve(int me, int n, int inner)
{
    double total = 0;
#pragma cccp register(me, n, inner, total)
#pragma omp parallel num_threads(inner) reduction(+ : total)
    {
        double own = 0;
        int step = 0, who = omp_get_thread_num();
#pragma cccp register(own, step, who, total)
        for (step = 0; step < n; step++) {
#pragma cccp checkpoint
            own += (me + 1) * (step + 1) * 0.37 + who;
#pragma omp barrier
        }
        total += own;
    }
    return total;
}
int main(int argc, char **argv)
{
    int inner = argc > 1 ? atoi(argv[1]) : 2;
#pragma cccp init
#pragma cccp register(out, inner)
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        double got = 0;
#pragma cccp register(me, got)
        for (int k = 0; k < 3; k++) {
#pragma cccp register(k)
            got = solve(me + k, 6 + me, inner);
            out[me] += got;
        }
    }
    for (int i = 0; i < 8; i++)
        printf("%.17g ", out[i]);
    printf("\n");
#pragma cccp shutdown
    return 0;
}
