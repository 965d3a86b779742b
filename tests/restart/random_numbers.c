/* The generators of the C library go on where they were, though no directive names them: rand and random, drand48, and
 * a generator of other parameters; an array of the program's own; numbers that a block draws on the way back.
 *
 * restarted at 3: drawn
 * restarted at 7: drawn
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>

int throw_dice(void);

static char array[64];

int main(void)
{
#pragma cccp init
    int step;
    int (*draw)(void) = rand;
    srand(42);
    srand48(17);
#pragma cccp register(step, array)
#pragma cccp execute on restart
    fprintf(stderr, "drawn\n");
    (void)(rand() + drand48());
    srand48(99);
#pragma cccp end execute
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        printf("%d %ld %d\n", rand(), random(), throw_dice());
        printf("%.17g %ld %ld\n", drand48(), lrand48(), mrand48());
        if (step == 4) {
            unsigned short parameters[7] = {1, 2, 3, 0xe66d, 0xdeec, 7, 13};
            lcong48(parameters);
        }
        if (step == 5)
            srandom(7);
        if (step == 6)
            initstate(5, array, sizeof array);
    }
    printf("%d\n", rand());
#pragma cccp shutdown
    return draw == rand ? 0 : 1;
}

int throw_dice(void)
{
    return rand() % 6 + 1;
}
