/* s03: places in the user's file, with macros around. */
#include <assert.h>
#define N 3
#define ADD(a, b) ((a) + (b))
#define TWO(x) x; x
#define DO(x) do { x; } while (0)
#define NOTHING
#define OPEN {
int g(int a, int b);
int f(int a) OPEN
    int b = ADD(a,
                N); g(b, 1);
    DO(g(a, b)); DO(g(b, a));
    TWO(g(1, 2));
    NOTHING b = g(N, ADD(1, 2)) + N;
    assert(g(a, b));
    if (a) { b = N; } else b = ADD(1, 1);
    while (g(a, N)) a--;
    return ADD(a, b)  /* here */ ;
}
int h(int a)
{
    int caf\u00e9 = a; /* é */ g(a, caf\u00e9);
    switch (a) { case N: return 1; default: a \
++; }
    return a;
}
int größe(int a)
{
    int é = a;
    return é + gr\u00f6ße(1); /* ä */
}
