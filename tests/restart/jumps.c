/* Loops made by goto, checkpoints behind switch, break and continue, and early returns. */
#include <stdio.h>

static int find(int limit)
{
    int i = 0;
#pragma cccp register(i)
again:
#pragma cccp checkpoint
    if (i * i > limit)
        return i;
    i++;
    if (i == 3)
        goto again;
    i++;
    goto again;
}

static int classify(int x)
{
    int r = 0;
    switch (x % 4) {
    case 0:
        r = 1;
        break;
    case 1: {
        int y = x;
#pragma cccp register(y, r)
#pragma cccp checkpoint
        r = y;
    }
    /* fall through */
    case 2:
#pragma cccp register(r)
#pragma cccp checkpoint if(x > 2)
        r += 10;
        break;
    default:
        return find(x * 5);
    }
    return r;
}

int main(void)
{
#pragma cccp init
    int x, sum = 0;
#pragma cccp register(x, sum)
    for (x = 0; x < 9; x++) {
        if (x == 4)
            continue;
        if (x == 8)
            break;
        sum = sum * 7 + classify(x);
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
