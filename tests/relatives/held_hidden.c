/* The place on the stack of what an inner block hides by another declaration of the name, while a restart calls again what
   stands in that block: by a block, by a loop around a call, and by the name of a type. */
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
    int twice[3] = { 2 * value, value, 1 };
    each(1, add, twice);
#pragma cccp register(twice)
#pragma cccp checkpoint
    return twice[0] - twice[2];
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
#pragma cccp register(all, round)
    for (struct context inner = { numbers[round & 3], numbers }; inner.total < 40; inner.total += 13) {
#pragma cccp register(inner)
        for (int inner = 0; inner < 2; inner++) {
#pragma cccp register(inner)
            int found = quick(inner + all % 3);
            all = all * 7 + found;
        }
        all = all * 31 + inner.total;
    }
    for (int i = 0; i < 3; i++) {
#pragma cccp register(i)
        {
            struct whole outer = { i, { round, 2, 3, 4, 5, 6 } };
#pragma cccp register(outer)
            if (i != 1) {
                struct context outer = { i, numbers };
#pragma cccp register(outer)
                if (round == 1)
                    for (int i = 4, k = 0; i < 6; i++, k += 2) {
#pragma cccp register(i, k)
                        struct whole got = made(i + round);
                        each(2, add, &outer);
                        all = all * 31 + got.value[2] + k;
                    }
                else {
                    typedef int i;
                    i n = quick(round);
                    all += n + outer.total;
                }
                each(2, add, &outer);
                all += outer.total;
            }
            all = all * 31 + outer.value[0] + outer.value[5] + outer.kind;
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
