/* Functions of which the compiler makes copies, and results that C does not assign to. */
#include <stdio.h>

#define FORCED static inline __attribute__((always_inline))

struct fixed {
    const long value;
    const struct {
        long more[2];
    } inner;
};
typedef union {
    const long number;
    double other;
} any;

static struct fixed make(long x)
{
#pragma cccp checkpoint
    return (struct fixed){x * 3 % 1001, {{x, x + 1}}};
}

static any either(long x)
{
#pragma cccp checkpoint
    return (any){x + 5};
}

static long plain(long x)
{
#pragma cccp checkpoint
    return x + 2;
}

FORCED long forced(struct fixed a, any b, long y)
{
#pragma cccp checkpoint
    return a.value + a.inner.more[1] + b.number + y;
}

int main(void)
{
#pragma cccp init
    long s = 1;
    int i;
#pragma cccp register(s, i)
    for (i = 0; i < 4; i++) {
        s = forced(make(s), either(s), plain(i)) % 1000;
        s += (i % 2 ? make(s) : make(s + 1)).inner.more[0];
        s %= 1000;
    }
    printf("%ld\n", s);
#pragma cccp shutdown
    return 0;
}
