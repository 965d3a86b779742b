/* As the kernel IS of NAS: the keys are made once, ranked ten times, and looked at once. The ranking has the checkpoint. */
#include <stdio.h>

#define KEYS 65536
#define LARGEST 2048
#define ITERATIONS 10

static int keys[KEYS], order[KEYS], found[LARGEST];

static void make(unsigned seed)
{
    for (int i = 0; i < KEYS; i++) { /* not selected */
        seed = seed * 1103515245u + 12345u;
        keys[i] = (seed >> 16) % LARGEST;
    }
}

static void rank(int iteration)
{
    keys[iteration] = iteration;
    keys[iteration + ITERATIONS] = LARGEST - iteration;
    for (int i = 0; i < LARGEST; i++) /* not selected */
        found[i] = 0;
    for (int i = 0; i < KEYS; i++) /* not selected */
        found[keys[i]]++;
    for (int i = 0; i < LARGEST - 1; i++) /* not selected */
        found[i + 1] += found[i];
}

static int verify(void)
{
    int wrong = 0;
    for (int i = 0; i < KEYS; i++) /* not selected */
        order[--found[keys[i]]] = keys[i];
    for (int i = 1; i < KEYS; i++) /* not selected */
        wrong += order[i - 1] > order[i];
    return wrong;
}

int main(void)
{
    make(314159265u);
    rank(1);
    for (int iteration = 1; iteration <= ITERATIONS; iteration++) /* selected */
        rank(iteration);
    printf("%d\n", verify());
    return 0;
}
