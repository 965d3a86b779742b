/* The loop is here, its state is in state.c. */
#include <stdio.h>
#include <stdlib.h>
#include "state.h"
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int last = argc > 2 ? atoi(argv[2]) : 500;
    setup(n);
    while (rounds < last) {
        total += advance(n);
        rounds++;
    }
    printf("%d %.17g\n", rounds, total);
    return EXIT_SUCCESS;
}
