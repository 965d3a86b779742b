/* A short function that is called all the time and counts its calls in a static of its own: auto mode registers that behind
 * its declaration, and the calls cost what they cost. */
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) unsigned next(unsigned seed)
{
    static unsigned long calls;
    calls++;
    return seed * 1103515245u + 12345u + (unsigned)(calls & 1);
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 2;
    unsigned seed = 1;
    for (long step = 0; step < steps; step++)
        for (long i = 0; i < 1000000; i++)
            seed = next(seed);
    printf("%u\n", seed);
    return 0;
}
