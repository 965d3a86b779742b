/* Functions with marks that must be inlined, and are called through a pointer besides. */
#include <stdio.h>
static long c;
static inline __attribute__((always_inline)) long f(long x)
{
#pragma cccp checkpoint
    return x * 3 % 1001;
}
__attribute__((always_inline)) static inline long g(long x) { c++; return f(x) + f(x + 1); }
#define CALL(x) g(x)
typedef long (*fun)(long);
int main(void)
{
#pragma cccp init
    long s = 1, i;
    fun h = f;
#pragma cccp register(s, i, c)
    for (i = 0; i < 20; i++) {
        s += CALL(s) + h(s);
        s %= 100003;
    }
    printf("%ld %ld\n", s, c);
#pragma cccp shutdown
    return 0;
}
