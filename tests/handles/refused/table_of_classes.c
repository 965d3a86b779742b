/* The table itself, behind the macros of <ctype.h>, lies elsewhere after a restart: what is kept is a pointer into the C library.
   refused: auto mode cannot restore what `small` points to | it may point into memory of a library */
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int *small = *__ctype_tolower_loc();
    int sum = argc;
    for (int step = 0; step < 1000; step++)
        sum = sum % 1000 * 31 + small[(unsigned char)sum];
    printf("%d %s\n", sum, argv[0]);
    return 0;
}
