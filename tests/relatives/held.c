/* A struct of an inner block keeps its place on the stack while a restart calls again what stands in the block: a function
   that is inlined there has locals of its own, and what a function returns needs room, too. */
#include <stdio.h>

struct context { int total; const int *from; };
struct whole { int kind; int value[6]; };

static int numbers[4] = { 1, 2, 3, 5 };

static void add(int value, void *context)
{
    struct context *c = context;
    c->total += value;
}

static void each(int n, void (*what)(int, void *), void *context)
{
    for (int i = 0; i < n; i++) what(numbers[i], context);
}

static inline __attribute__((always_inline)) int quick(int value)
{
    int twice = 2 * value;
    each(1, add, &twice);
#pragma cccp register(twice)
#pragma cccp checkpoint
    return twice - 1;
}

static struct whole made(int value)
{
    struct whole one = { value, { value, value + 1, value + 2, value + 3, value + 4, value + 5 } };
#pragma cccp register(one)
#pragma cccp checkpoint
    one.value[0] += one.kind;
    return one;
}

static int pass(int round)
{
    int all = 0;
#pragma cccp register(all)
    for (int i = 0; i < 3; i++) {
#pragma cccp register(i, round)
        {
            struct context inner = { numbers[round & 3], numbers };
            each(2, add, &inner);
#pragma cccp register(inner)
            int found = quick(numbers[i]);
            numbers[3] ^= found;
            add(numbers[round & 3], &inner);
            all = all * 31 + inner.total;
        }
        {
            struct whole outer = { i, { round, 2, 3, 4, 5, 6 } };
#pragma cccp register(outer)
            struct whole got = made(i + round);
            all = all * 31 + outer.value[0] + outer.value[5] + outer.kind + got.value[2];
        }
    }
    return all;
}

int main(void)
{
    unsigned sum = 0;
#pragma cccp init
#pragma cccp register(sum, numbers)
    for (int round = 0; round < 3; round++) {
#pragma cccp register(round)
        sum = sum * 31 + pass(round);
        printf("%d %u\n", round, sum);
    }
    return 0;
}
