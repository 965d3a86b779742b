/* Calls without braces around them, among declarations, in initialisers and subscripts, with side effects beside
 * them, with struct and pointer results. */
#include <stdio.h>

static long trail;
static double pool[8];

struct pair {
    int a;
    double b;
};

static int tick(int x)
{
#pragma cccp checkpoint name(tick)
    trail = (trail * 31 + x) % 1000003;
    return x;
}

static struct pair both(int x)
{
    struct pair p;
#pragma cccp checkpoint
    p.a = x + 1;
    p.b = x * 0.5;
    trail++;
    return p;
}

static double *place(int i)
{
    tick(i);
    return &pool[i];
}

/* Without braces everywhere. */
static int bare(int n)
{
    int i, sum = 0;
#pragma cccp register(i, sum, n)
    if (n > 100)
        tick(1);
    else if (n > 50)
        sum += tick(2);
    else
        for (i = 0; i < 3; i++)
            if (i == 1)
                tick(i);
            else
                sum += tick(i + 3);
    for (i = 0; i < 4; i++)
        while (n-- > 2)
            sum += tick(n);
    do
        tick(9);
    while (++sum % 4);
    switch (sum % 3)
    case 0:
    case 1:
    case 2:
        tick(10);
    return tick(11) ? tick(sum) : tick(12);
}

int main(void)
{
#pragma cccp init
    int i = 0, a = 0, b = 0, v[4] = {0, 0, 0, 0};
    struct pair p = {0, 0.0};
    double *where = pool;
#pragma cccp register(trail, pool, i, a, b, v, p, where) /* a comment */

    int x = tick(1);
#pragma cccp register(x)
    int y = x + tick(2), z;
#pragma cccp register(y, \
                      z)
    z = tick(y);
    y += z;
    int w[3] = {tick(3), 7, tick(4)};
#pragma cccp register(w)
    while (i < 3 && tick(i++))
        a += i;
    while (i-- > 0 || tick(0))
        a += 2 * i;
    for (int k = tick(0), m = 3; k < m; k++, m -= tick(k) > 1) {
#pragma cccp register(k, m)
        b += k * m + tick(k);
    }
    if ((a = tick(5)) > 4)
        b++;
    a = b = tick(6);
    v[tick(1)] += 2;
    v[2] = 5 * -tick(3) + v[1];
    (void)tick(7);
    a += (int)sizeof(tick(8));
    p = both(3);
    p.a += both(4).a;
    *place(2) += 1.5;
    pool[3] = *place(2) * 2.0;
    where = place(4);
    *where = tick(8) + 0.25;
    if (tick(1) && (a > 3 || tick(2)) && !tick(0))
        tick(13);
    a += tick(1) ? tick(0) ? tick(2) : tick(3) : tick(4);
    b += bare(bare(6) % 90);
    for (;;)
        if (tick(++i) > 3)
            break;
    printf("%ld %d %d %d %d %d %d %d %d %.17g %.17g %.17g %d %d %d\n", trail, i, a, b, v[1], v[2], x, y, p.a, p.b,
           pool[3], pool[4], w[0], w[2], (int)(where - pool));
#pragma cccp shutdown
    return 0;
}
