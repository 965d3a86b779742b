/* Two functions that call each other, twice per activation, with results that meet on the way back. */
#include <stdio.h>

static long right(int level, long seed);

static long left(int level, long seed)
{
    long first = 0, second = 0;
    if (level == 0) {
#pragma cccp checkpoint
        return seed;
    }
#pragma cccp register(first, second)
    first = right(level - 1, seed * 3 + 1);
    second = left(level - 1, first % 1009);
    return first * 2 - second;
}

static long right(int level, long seed)
{
    long sum = seed;
    int i;
#pragma cccp register(sum, i)
    for (i = 0; i < 2; i++)
        sum += level == 0 ? seed % 17 : left(level - 1, sum % 101 + i);
    return sum;
}

int main(void)
{
#pragma cccp init
    long total = 0;
    int n;
#pragma cccp register(total, n)
    for (n = 1; n < 5; n++)
        total = total * 5 + left(n, n) + right(n, total);
    printf("%ld\n", total);
#pragma cccp shutdown
    return 0;
}
