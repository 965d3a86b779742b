/* Twenty megabytes behind a pointer, as a number of elements or as a whole block. */
#include <stdio.h>
#include <stdlib.h>

struct list {
    double *values;
    struct list *next;
};

int main(int argc, char **argv)
{
#pragma cccp init
    int pass, passes = argc > 1 ? atoi(argv[1]) : 10;
    long n = 2500000;
    double *p = calloc(n, sizeof *p);
    struct list *list = NULL;
#ifdef WHOLE
#pragma cccp register(pass, passes, n, p[], list)
#elif defined FOLLOW
    list = calloc(1, sizeof *list);
    list->values = p;
#pragma cccp register(pass, passes, n, follow(list), p)
#else
#pragma cccp register(pass, passes, n, p[n], list)
#endif
    for (pass = 1; pass <= passes; pass++) {
#pragma cccp checkpoint
        p[pass % n] += pass;
    }
    printf("%g %d\n", p[3], list != NULL);
    free(list);
    free(p);
#pragma cccp shutdown
    return 0;
}
