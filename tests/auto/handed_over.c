/* A struct whose address is handed over, with memory behind one of its members, in a function that has returned at the checkpoint; what
 * is on the stack before looks like addresses. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
struct data { long n; double *x; long uses; };
static long spoil(void)
{
    volatile long junk[64];
    for (int i = 0; i < 64; i++)
        junk[i] = 0x55555555;
    return junk[63];
}
static void begin(long *uses) { *uses = 1; }
static struct data make(long n)
{
    struct data made;
    made.n = n;
    made.x = malloc(made.n * sizeof(double));
    begin(&made.uses);
    for (long i = 0; i < made.n; i++)
        made.x[i] = i;
    for (int k = 0; k < 30; k++)
        for (long i = 1; i < made.n; i++)
            made.x[i] = 0.5 * (made.x[i] + made.x[i - 1]);
    return made;
}
static double work(struct data d)
{
    double sum = 0;
    for (int k = 0; k < 200; k++)
        for (long i = 0; i < d.n; i++)
            sum = sum * 0.5 + d.x[i];
    return sum;
}
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000;
    omp_set_num_threads(2);
    long spoilt = spoil();
    struct data d = make(n);
    printf("%.17g %ld\n", work(d), spoilt);
    return 0;
}
