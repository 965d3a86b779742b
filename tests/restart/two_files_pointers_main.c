/* Functions called through pointers whose names mean something else where they are called, stand further down, or belong
   to another file that has one of the same name. */
#include <stdio.h>

typedef long work(long);
struct box {
    work *call;
    long n;
};

work *other_plain(void);

static long through(struct box *plain)
{
    enum { half = 2 };
    return plain->call(plain->n) + half;
}

static long apply(work *plain, long x)
{
    return (*plain)(x) + plain(x + 1);
}

static long plain(long x)
{
#pragma cccp checkpoint
    return x * 3 % 1001;
}

static long half(long x)
{
#pragma cccp checkpoint
    return x / 2 + 1;
}

int main(void)
{
#pragma cccp init
    struct box box = {plain, 1};
    work *table[3] = {plain, half, other_plain()};
    long total = 0;
    int i;
#pragma cccp register(box, table, total, i)
    for (i = 0; i < 6; i++) {
        box.call = table[i % 3];
        box.n = through(&box) % 1000;
        total += apply(box.call, box.n) + (i % 2 ? table[2] : half)(total % 10);
        total %= 1000003;
    }
    printf("%ld %ld\n", box.n, total);
#pragma cccp shutdown
    return 0;
}
