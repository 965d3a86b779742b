/* Constructs that one thread executes, barriers and work that is handed out, all in functions that threads call. */
#include <stdio.h>
#include <omp.h>
#define N 60
static double u[N], best;
static int rounds;

static void report(int round)
{
    int i;
#pragma cccp register(i, round)
    for (i = 0; i < 3; i++) {
#pragma cccp checkpoint
        best = best * 0.5 + u[i] + round;
    }
}

static void sweep(int round)
{
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++)
        u[i] = u[i] * 1.01 + round;
#pragma omp barrier
    if (round % 2 == 0)
#pragma omp single
        report(round);
    else {
#pragma omp barrier
    }
#pragma omp master
    {
        report(-round);
    }
#pragma omp barrier
}

int main(void)
{
#pragma cccp init
    for (int i = 0; i < N; i++)
        u[i] = i;
    rounds = 8;
#pragma cccp register(u, best, rounds)
#pragma omp parallel if (rounds > 0)
    {
        int round;
#pragma cccp register(round)
        for (round = 0; round < rounds; round++)
            sweep(round);
    }
    double sum = best;
    for (int i = 0; i < N; i++)
        sum += u[i] * i;
    printf("%.17g\n", sum);
#pragma cccp shutdown
    return 0;
}
