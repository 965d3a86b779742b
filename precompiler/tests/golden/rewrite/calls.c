#include <stdio.h>
/* Every form of a call. */
#define CHECK(call)                \
    do {                           \
        int code = (call);         \
        if (code < 0)              \
            return code;           \
    } while (0)
struct pair { int a, b; };
static int tick(int x)
{
#pragma cccp checkpoint
    return x;
}
static struct pair both(int a)
{
    struct pair p = {tick(a), tick(a + 1)};
#pragma cccp register(p)
    return p;
}
typedef int (*function)(int);
static int twice(int x) { return tick(x) * 2; }
int work(int n, int *v, function f)
{
    int i = 0, a = tick(n), b = a + tick(1) * tick(2);
#pragma cccp register(i, a, b)
    tick(0);
    v[tick(1)] = tick(i++);
    if (tick(1) && (a > 0 || tick(2)))
        b = a ? tick(3) : 4;
    else if (!tick(5))
        b++;
    while (i < n && tick(i))
        i++;
    do {
        if (i == 2)
            continue;
        i--;
    } while (tick(i) > 0);
    for (i = tick(0); tick(i) < 3; i += tick(1))
        if (i == 1)
            continue;
    switch (tick(i)) {
    case 1:
        tick(6);
        break;
    default:
        a = (tick(7), tick(8));
    }
    CHECK(tick(9));
    f = f ? f : twice;
    b += f(a) + (*f)(b);
    printf("%d %d\n", tick(10), both(11).a);
    (void)tick(12);
    return tick(a) + (tick(b) ? tick(13) : 0);
}
int main(void)
{
    int v[4] = {0};
#pragma cccp init
    return work(3, v, tick);
}
