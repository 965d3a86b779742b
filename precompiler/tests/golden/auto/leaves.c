/* Checkpoints at the beginning of loops whose body leaves them, or whose head sets the variable anew: nobody reads the
 * variable again, and no checkpoint has it. A restart that comes back through the head must not read it either. */
#include <stdio.h>

static int sum = 1;

static void leaves(int depth)
{
    int k;

    for (k = 5; k == 5; k--) {
#pragma cccp checkpoint
        sum = 3 * sum + depth;
        if (1)
            goto over;
    }
over:
    if (depth > 0)
        leaves(depth - 1);
    sum++;
}

static void sets_anew(void)
{
    int k, next;

    for (k = 9; k == 9; k = next) {
#pragma cccp checkpoint
        sum = 7 * sum + 1;
        next = sum < 100000 ? 9 : 2;
    }
}

int main(void)
{
    leaves(2);
    sets_anew();
    printf("%d\n", sum);
    return 0;
}
