/* A call that had returned is made again for what it registered: what nobody would read after a restart that ends in it, because it
   leads to the end of the process, is read after this one. */
#include <stdio.h>
#include <stdlib.h>

struct pair { int one; int many[4]; };

static unsigned sum;
static int *table;

static __attribute__((noreturn)) void leave(int code)
{
    printf("left %d\n", code);
    exit(code - 5);
}

static void over(int value)
{
#pragma cccp checkpoint
    leave(value);
}

static int looked_up(int n)
{
    if (!table) {
        table = malloc(4 * sizeof *table);
        if (!table) exit(9);
        for (int i = 0; i < 4; i++) table[i] = i * i;
    }
#pragma cccp register(table[4])
    if (n == 77) over(n);
    table[n & 3]++;
    return table[(n + 1) & 3];
}

static int pass(int depth)
{
    static const char names[] = "abc";
    static struct pair zero;
    int found = looked_up(depth);
    for (int i = 0; i < 3; i++) {
#pragma cccp register(i, found)
#pragma cccp checkpoint
        sum = sum * 31 + zero.many[i] + zero.one + names[i] + found;
    }
    return found;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(sum)
    for (int round = 0; round < 3; round++) {
#pragma cccp register(round)
        int found = pass(round);
        sum = sum * 31 + found;
        printf("%d %u\n", round, sum);
    }
    over(5);
    return 0;
}
