/* What does the work of the one run is called in loops elsewhere, too, which this run never comes to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 50
static int tour[N], better[N], trial, trials = 100, runs = 1, run;
static unsigned long seed = 1;
static long best;

static unsigned next(unsigned n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(seed >> 33) % n;
}

static long improve(void)
{
    long cost = 0;
    int improved;
    do {
        improved = 0;
        for (int i = 1; i < N - 1; i++) {
            int a = tour[i], b = tour[i + 1];
            if (a * i + b * (i + 1) > b * i + a * (i + 1)) {
                tour[i] = b;
                tour[i + 1] = a;
                improved = 1;
            }
        }
    } while (improved);
    for (int i = 0; i < N; i++) cost += tour[i] * (long)i;
    return cost;
}

static long find(void)
{
    long least = 1L << 60;
    for (trial = 1; trial <= trials; trial++) {
        for (int i = 0; i < N; i++) tour[i] = next(1000);
        long cost = improve();
        if (cost < least) {
            least = cost;
            memcpy(better, tour, sizeof better);
        }
    }
    return least;
}

static void parts(int depth)
{
    for (int i = 0; i < depth; i++)
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < depth; j++)
                best += find();
}

int main(int argc, char **argv)
{
    if (argc > 1) runs = atoi(argv[1]);
    if (argc > 3) trials = atoi(argv[3]);
    if (argc > 2) {
        for (int i = 0; i < runs; i++) parts(atoi(argv[2]));
        printf("%ld\n", best);
        return 0;
    }
    for (run = 1; run <= runs; run++) {
        long cost = find();
        if (cost > best) best = cost;
        seed += run;
    }
    printf("%ld %d\n", best, better[N / 2]);
    return 0;
}
