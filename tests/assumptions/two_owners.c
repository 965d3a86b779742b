// hand refuses CCCP302 `one.values[…]` is live at this checkpoint but neither registered nor re-executed
#include <stdio.h>
#include <stdlib.h>

struct made { double *values; int rows; };

static struct made empty(int rows)
{
    struct made one = { malloc(rows * sizeof *one.values), rows };
    if (one.values == NULL)
        exit(1);
    return one;
}

static struct made product(struct made left)
{
    struct made one = empty(left.rows);
    /* The block of `one` is forgotten; that of another product, which its caller registers, has been allocated here, too. */
#pragma cccp register(one, left)
    for (int i = 0; i < left.rows; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint every(1)
        one.values[i] = left.values[i] + i;
    }
    return one;
}

int main(void)
{
#pragma cccp init
    struct made first = empty(8);
    for (int i = 0; i < first.rows; i++)
        first.values[i] = 1.0 / (i + 1);
#pragma cccp register(first, first.values[])
    struct made second = product(first);
#pragma cccp register(second, second.values[])
    struct made third = product(second);
    printf("%.17g\n", third.values[7]);
    return 0;
}
