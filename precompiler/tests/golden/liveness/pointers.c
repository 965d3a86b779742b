/* Pointers, functions behind pointers, statics, escaped locals. */
#include <stdio.h>

struct operations { int (*apply)(int); void (*clear)(void); };

static int factor = 2, offset = 1, unused = 4, cleared;

static int scale(int n)
{
    return n * factor;
}

static int shift(int n)
{
    return n + offset;
}

static void clear(void)
{
    cleared = 0;
}

static const struct operations all[2] = {{scale, clear}, {shift, clear}};

static int count(void)
{
    static int calls = 0, scratch;
    scratch = calls;
    calls++;
    return calls + scratch;
}

static void exchange(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int x = argc, y = 2, z = 3, w = 4, one = 1, two = 2;
    int *p = &x, *q = &y, *either;
    unused = x;
    cleared = argc;
    count();
    /* must: x live, y live, p live, q live, factor live, offset live, argc live, one live, two live, calls live */
    /* should: z dead, w dead, unused dead, scratch dead, cleared dead */
#pragma cccp checkpoint
    z = 4;
    *(&w) = 2;
    either = argc > 1 ? &one : &two;
    *either = 5;
    exchange(p, q);
    all[argc & 1].clear();
    printf("%d %d %d %d %d\n", x, y, z, w, all[argc & 1].apply(x));
    printf("%d %d %d %d\n", one, two, count(), cleared);
    return 0;
}
