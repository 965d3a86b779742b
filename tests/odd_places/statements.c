/* Marks wherever a statement or a declaration may stand.
   restarts throughout */
#include <stdio.h>
#include <stdlib.h>

static int s, i;

/* No file defines it otherwise. */
inline int first(int k)
{
#pragma cccp checkpoint
    return s += k;
}

/* Parameters are declared behind the list. */
static int old_style(k, d)
    int k;
    float d;
{
#pragma cccp register(k, d)
#pragma cccp checkpoint
    return s += k * (int)d;
}

static void duff(int count)
{
    int n = (count + 3) / 4;
#pragma cccp register(n, count)
    switch (count % 4) {
    case 0: do { s += 1;
    case 3:      s += 10;
#pragma cccp checkpoint
    case 2:      s += 100;
    case 1:      s += 1000;
            } while (--n > 0);
    }
}

static void without_braces(void)
{
    for (int m = 0; m < 4; m++) {
#pragma cccp register(m)
        switch (m % 3)
        case 1:
            for (int k = 0; k < 2; k++) {
#pragma cccp register(k)
#pragma cccp checkpoint
                s += m + k;
            }
    }
}

static void computed(void)
{
    void *to = &&one;
    int m;
#pragma cccp register(to, m)
    for (m = 0; m < 4; m++) {
#pragma cccp checkpoint
        goto *to;
one:
        s += 1;
        to = &&other;
        continue;
other:
        s += 10;
        to = &&one;
    }
}

static void jumps(void)
{
    int m = 0;
#pragma cccp register(m)
again:
#pragma cccp checkpoint
    s += m;
    if (++m < 3)
        goto again;
}

static void sizes(int n, int a[sizeof(int[n++])])
{
#pragma cccp register(n)
#pragma cccp checkpoint
    s += n + (a != 0);
}

static int deeper(int n)
{
    int r = 0, k;
#pragma cccp register(n, r, k)
    for (k = 0; k < n; k++) {
        int q = deeper(n - 1 - k);
        r += q;
#pragma cccp checkpoint
        s++;
    }
    return r + 1;
}

_Noreturn static void last(int n)
{
    int m;
#pragma cccp register(n, m)
    for (m = 0; m < n; m++) {
#pragma cccp checkpoint
        s += m;
    }
    printf("%d\n", s);
#pragma cccp shutdown
    exit(0);
}

int main(void)
{
    int v[100] = {0};
#pragma cccp init
#pragma cccp register(s, i, v)
    for (i = 1; i < 4; i++) {
        int r = first(i);
        s += r;
    }
    for (i = 1; i < 4; i++)
        old_style(i, 2.5);
    for (i = 1; i < 6; i++)
        duff(i);
    without_braces();
    computed();
    jumps();
    for (i = 1; i < 3; i++)
        sizes(i, v);
    i = deeper(3);
    last(3);
}
