/* An array of a block is registered at two places, and its function is active several times: the end of the block ends the
 * register of its own activation, and no caller's. */
#include <stdio.h>

static int number = 11;

static int total(int n, const int *u)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all = all * 3 + u[i];
    return all;
}

static int deeper(int level)
{
    int result = 0;
#pragma cccp register(result)
    {
        int n = 1 + (number & 3);
        int u[4];
        for (int i = 0; i < 4; i++)
            u[i] = i + level;
#pragma cccp register(u, n)
        if (level > 0)
            result = deeper(level - 1);
        u[0] += result;
#pragma cccp register(u)
#pragma cccp checkpoint
        u[n - 1] += level;
        result += total(n, u);
        printf("%d\n", result);
    }
    number++;
#pragma cccp checkpoint
    return result;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(number)
    printf("%d\n", deeper(3));
#pragma cccp shutdown
    return 0;
}
