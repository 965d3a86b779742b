/* A program in pieces: one kernel is included twice, with other macros; the time loop and its marks stand in another file,
   which has a header beside it. */
#include <stdio.h>
#include <stdlib.h>

#define NUMBER double
#define OF(name) name##_double
#include "sub/kernel.inc"
#undef NUMBER
#undef OF
#define NUMBER float
#define OF(name) name##_float
#include "sub/kernel.inc" /* the same with floats */

static const char *above(void) { return __FILE__; }

#include \
    "sub/loop.c"

int main(int argc, char **argv)
{
#pragma cccp init
    int n = argc > 1 ? atoi(argv[1]) : 30;
    double *a = calloc(n, sizeof *a);
    float *b = calloc(n, sizeof *b);
    a[0] = 1000;
    b[0] = 1000;
#pragma cccp register(n, a[n], b[n])
    run(a, b, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i + 1) + b[i];
    printf("%.17g, line %d of %s\n", sum, __LINE__, above());
#pragma cccp shutdown
    free(a);
    free(b);
    return 0;
}
