/* Structs with constant members: nested, by typedef, given back, handed over, in arrays. */
#include <stdio.h>
typedef const struct { long a; double b[2]; } fixed;
struct s { const long a; fixed f; const char *const name; struct { const short k; } in; };
typedef struct s t;
static t make(long x)
{
#pragma cccp checkpoint
    return (t){x * 3 % 1001, {x, {1, 2}}, "n", {3}};
}
static t pass(t v)
{
#pragma cccp checkpoint
    return v;
}
static const t twice(const t v) { return pass(pass(v)); }
static long g(struct s v, const long y)
{
#pragma cccp checkpoint
    return v.a + y + v.f.a + v.in.k + (v.name != 0);
}
int main(void)
{
#pragma cccp init
    long s = 1; int i;
#pragma cccp register(s, i)
    for (i = 0; i < 8; i++) {
        const t now = twice(make(s));
#pragma cccp register(now)
        s = g(now, i) % 1000 + g(pass(make(i)), make(2).a) + pass(now).in.k;
        t arr[2] = {make(1), make(2)};
        s += arr[1].a;
    }
    printf("%ld\n", s);
#pragma cccp shutdown
    return 0;
}
