/* One trial, whose work is behind a pointer to a function that is chosen before. */
#include <stdio.h>
#include <stdlib.h>

#define N 60
static unsigned state[N], weight[N];
static unsigned long seed = 1;
static unsigned best;

static unsigned next(unsigned n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(seed >> 33) % n;
}

static void greedy(void)
{
    unsigned i = 0, at = 0;
    while (i < N) {
        weight[i] = (state[i] * 31 + i) % 97;
        if (weight[i] > weight[at]) at = i;
        i++;
    }
    state[at] ^= next(1000);
}
static void random_walk(void)
{
    unsigned i = 0;
    while (i < N) {
        weight[i] = state[i] % 13;
        i++;
    }
    state[next(N)] ^= weight[next(N)] + next(1000);
}
static void (*flip)(void) = greedy;

int main(int argc, char **argv)
{
    int tries = argc > 1 ? atoi(argv[1]) : 1;
    int flips = argc > 2 ? atoi(argv[2]) : 200;
    if (argc > 3) flip = random_walk;
    for (int try = 0; try < tries; try++) {
        for (int i = 0; i < N; i++) state[i] = next(100000);
        best = 0;
        for (int i = 0; i < flips; i++) {
            unsigned sum = 0;
            flip();
            for (int k = 0; k < N; k++) sum += state[k];
            if (sum > best) best = sum;
        }
        printf("%u %u\n", best, state[0]);
    }
    return 0;
}
