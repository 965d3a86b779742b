/* The same with marks, and functions that are defined later. */
#include <stdio.h>
static long f(long x, long i);
static long g(long f) { return f * 2; }
static long h(long (*f)(long, long), long g)
{
    long s = 0;
#pragma cccp register(s, g)
    for (long i = 0; i < 5; i++) {
#pragma cccp register(i)
        s += f(g, i);
    }
    return s;
}
typedef struct { long (*f)(long, long); long v; } op;
static long call(op *o, long i) { long r = o->f(o->v, i); return r; }
static op ops[2];
static long f(long x, long i)
{
#pragma cccp checkpoint
    return x * 3 % 1001 + i;
}
static long late(long x, long i)
{
#pragma cccp checkpoint
    return x + i;
}
int main(void)
{
#pragma cccp init
    long s = 1, i;
    ops[0] = (op){f, 3}; ops[1] = (op){late, 4};
#pragma cccp register(s, i, ops)
    for (i = 0; i < 6; i++) {
        s += h(i % 2 ? f : late, s % 100) + g(s);
        s += call(&ops[i % 2], i);
        s %= 100003;
    }
    printf("%ld\n", s);
#pragma cccp shutdown
    return 0;
}
