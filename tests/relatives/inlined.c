/* Functions that must be inlined: with structs, attributes behind, in each other, by macro. */
#include <stdio.h>
#define FORCE static inline __attribute__((always_inline))
#define FORCE2 __attribute__((__always_inline__, __gnu_inline__)) extern inline
typedef struct { long s, t; } two;
FORCE two both(two a, long i) { for (long k = 0; k < 4; k++) a.s = a.s * 3 + i + k; a.t += a.s; return a; }
static inline two outer(two a, long i) __attribute__((always_inline, flatten));
static inline two outer(two a, long i) { a = both(a, i); a.t ^= 5; return a; }
FORCE void each(two *a, long n) { for (long i = 0; i < n; i++) *a = outer(*a, i); }
static __attribute__((noinline, noclone, hot)) void plain(two *a) { each(a, 30); }
static __attribute__((pure)) long value(const two *a) { return a->s + a->t; }
FORCE __attribute__((const)) int sq(int x) { return x * x; }
int main(void)
{
    two a = {1, 2};
    plain(&a);
    each(&a, 20);
    printf("%ld %d\n", value(&a), sq(7));
    return 0;
}
