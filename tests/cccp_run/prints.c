/* Prints a line per pass, and numbers them. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int pass, passes = argc > 1 ? atoi(argv[1]) : 20;
    unsigned state = 1;
#pragma cccp init
#pragma cccp register(pass, state)
    for (pass = 1; pass <= passes; pass++) {
#pragma cccp checkpoint every(1)
        state = state * 1103515245u + 12345u;
        printf("%d %u\n", pass, state);
    }
#pragma cccp shutdown
    return 0;
}
