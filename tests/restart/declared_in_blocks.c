/* A block is no scope: what is declared in it is there behind it, with what the block gave it, for later blocks and for the
 * rest of the program.
 *
 * restarted at 1: block 7 14
 * restarted at 2: block 7 14
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
#pragma cccp init
    long total = 0;
#pragma cccp execute on restart
    double *kept = malloc(4 * sizeof *kept);
    int seven = 6 + (argc > 0 && argv != NULL);
    int *both = &seven;
#pragma cccp end execute
    for (int i = 0; i < 4; i++)
        kept[i] = i;
#pragma cccp execute on restart
    fprintf(stderr, "block %d %d\n", *both, kept == NULL ? -1 : 2 * seven);
#pragma cccp end execute
#pragma cccp register(total, kept[4])
    for (int t = 0; t < 3; t++) {
#pragma cccp register(t)
#pragma cccp checkpoint
        for (int i = 0; i < 4; i++)
            kept[i] += seven + *both;
        total += (long)kept[t];
    }
    printf("%ld\n", total);
#pragma cccp shutdown
    return 0;
}
