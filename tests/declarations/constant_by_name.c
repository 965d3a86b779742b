/* A type that is `const` under its own name: its word cannot be left out of the declaration.
   refused: `limits` is `const` and cannot be restored | declare it without `const` */
#include <stdio.h>
#include <stdlib.h>

typedef const double fixed;

int main(int argc, char **argv)
{
    fixed limits[2] = {argc * 0.5, atof(argc > 1 ? argv[1] : "3")};
    double total = 0;
    for (int step = 0; step < 100; step++)
        total += limits[step & 1] * step;
    printf("%.17g\n", total);
    return 0;
}
