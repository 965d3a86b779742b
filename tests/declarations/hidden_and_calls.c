/* Variables that others hide somewhere, in a recursion whose calls lead to the checkpoint. */
#include <stdio.h>

static long total;

static int descend(int depth)
{
    int n = 3;
    int rows[n];
    int x = depth * 7 + 1, y = depth;
    for (int i = 0; i < n; i++)
        rows[i] = i * depth;
    {
        int x = 2, y = 3;
        rows[0] += x * y;
    }
    for (int pass = 0; pass < 3; pass++) {
        if (depth > 0) {
            int result = descend(depth - 1);
            total += result + x;
        }
        for (int i = 0; i < 20000; i++)
            total += (i % 3) * (x + y) % 7;
        x += 3;
        y ^= x;
    }
    return x + y + rows[depth % n];
}

int main(void)
{
    printf("%d\n", descend(2));
    printf("%ld\n", total);
    return 0;
}
