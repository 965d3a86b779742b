/* Thread-local variables in a program with one thread: statics of functions, of the file, of another file, by macro, by
 * typedef, arrays, structs, pointers. */
#include <stdio.h>
#include <threads.h>

#define LOCAL _Thread_local
typedef struct {
    long a, b;
    double w[3];
} box;

extern __thread long shared;
long turn(long by);

static thread_local box g = {1, 2, {3, 4, 5}};
static __thread long *p;
static __thread struct {
    int k;
} s[4];
LOCAL int m;
static LOCAL long own; /* another one than that of the other file */

static long next(void)
{
    static thread_local long n = 7;
    n = n * 5 + 1;
    return n;
}

int main(void)
{
    long t = 0;
    p = &t;
    for (int i = 0; i < 12; i++) {
        *p += next() + turn(i);
        g.a += t % 7;
        g.w[i % 3] += g.a;
        s[i % 4].k += i;
        m += s[1].k;
        own += m;
        shared ^= own;
    }
    printf("%ld %ld %g %d %d %ld %ld\n", t, g.a, g.w[1], s[2].k, m, own, shared);
    return 0;
}
