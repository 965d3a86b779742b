/* Random walks start anew until one comes to an end that is good enough: the first one may do. */
#include <stdio.h>
#include <stdlib.h>
static unsigned state = 7;
static int wrong, flips = 4000;
static int drawn(int below)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % below;
}
static void begin(int *bits, int count)
{
    wrong = 0;
    for (int k = 0; k < count; k++) wrong += bits[k] = drawn(2);
}
int main(int argc, char **argv)
{
    int tries = argc > 1 ? atoi(argv[1]) : 10, count = 64;
    int *bits = malloc(count * sizeof *bits);
    for (int run = 0; run < tries; run++) {
        int flip;
        begin(bits, count);
        for (flip = 0; flip < flips; flip++) {
            if (wrong <= 20) break;
            int at = drawn(count);
            wrong -= bits[at];
            bits[at] = drawn(3) == 0;
            wrong += bits[at];
        }
        if (wrong <= 20) {
            printf("%d %d %d\n", run, flip, wrong);
            free(bits);
            return 0;
        }
    }
    printf("none\n");
    return 0;
}
