/* Structs with arrays of variable length, an extension of gcc, behind whose declarations control comes back. */
#include <stdio.h>
#include <string.h>

static long named(int n, int step)
{
    typedef struct {
        int cells[n + 2];
    } row;
    typedef row rows[2];
    long sum = step;
#pragma cccp register(step, sum)
    if (step % 2 == 0) {
#pragma cccp checkpoint
        sum += sizeof(row);
    }
    return sum * 3 + sizeof(rows);
}

static long unnamed(int n)
{
    struct {
        char text[n];
        int last;
    } own;
    long sum;
    memset(&own, 1, sizeof own);
    own.last = n;
    sum = own.text[n - 1] + own.last + (long)sizeof own.text;
#pragma cccp register(sum)
#pragma cccp checkpoint
    return sum;
}

int main(void)
{
    int step;
    long all = 0;
#pragma cccp init
#pragma cccp register(step, all)
    for (step = 0; step < 6; step++) {
        all = all * 5 % 10007 + named(step + 3, step);
        all += unnamed(step + 1);
        printf("%ld\n", all);
    }
#pragma cccp shutdown
    return 0;
}
