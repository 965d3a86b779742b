/* Two ways to do the work, each one shared loop: the one that a run takes does next to nothing beside the other, as far as loops with
   unknown bounds can tell. */
#include <stdio.h>
#include <stdlib.h>

static double grid(int at)
{
    return (at * 7919 % 1000) / 1000.0;
}

static void by_grid(int n, int reach, double *sums)
{
#pragma omp parallel
    {
        double own[8] = {0};
#pragma omp for nowait schedule(static)
        for (int at = 0; at < n * n * n; at++)
            for (int x = -reach; x < reach; x++)
                for (int y = -reach; y < reach; y++)
                    for (int z = -reach; z < reach; z++)
                        for (int w = -reach; w < reach; w++)
                            own[(x + y + z + w) & 7] += grid(at) * grid(at + (x * n + y) * n + z + n * n * n);
#pragma omp critical
        for (int i = 0; i < 8; i++)
            sums[i] += own[i];
    }
}

static void by_pairs(int n, long *counts)
{
#pragma omp parallel
    {
        long own[8] = {0};
#pragma omp for nowait schedule(dynamic)
        for (int at = 0; at < n; at++)
            for (int other = 0; other < n; other++) {
                double distance = grid(at) - grid(other);
                own[(int)(distance * distance * 8) & 7]++;
            }
#pragma omp critical
        for (int i = 0; i < 8; i++)
            counts[i] += own[i];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 12;
    double sums[8] = {0};
    long counts[8] = {0};
    if (way == 1)
        by_grid(n, 3, sums);
    else
        by_pairs(n * n * n, counts);
    for (int i = 0; i < 8; i++)
        printf("%.17g %ld\n", sums[i], counts[i]);
    return 0;
}
