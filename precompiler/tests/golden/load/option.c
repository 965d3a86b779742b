/* Unless it is told otherwise the program computes one case: a checkpoint at the beginning of each is not enough. */
#include <stdio.h>
#include <stdlib.h>

static double compute(int n)
{
    double u = 1;
    for (int step = 0; step < n; step++) /* selected */
        for (int i = 0; i < n; i++) /* not selected */
            u += u / (step + i + 1);
    return u;
}

int main(int argc, char **argv)
{
    int cases = 1, n = atoi(argv[1]);
    if (argc > 2)
        cases = atoi(argv[2]);
    for (int i = 0; i < cases; i++) /* selected */
        printf("%g\n", compute(n));
    return 0;
}
