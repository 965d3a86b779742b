/* Locals that nobody registers, because they are initialised once: at the checkpoints the names in their initialisers mean something else. */
#include <stdio.h>

enum { FEW = 2 };
static int shared = 5, second = 6;
struct pair { int *one, *two; };

static long inner(int *at, int by)
{
    long sum = by;
    int i;
    for (i = 0; i < 3; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum = sum * 3 % 1009 + *at;
    }
    return sum;
}

int main(void)
{
#pragma cccp init
    long total = 1;
    int i;
#pragma cccp register(total, i, shared, second)
    for (i = 0; i < 4; i++) {
        int *at = &shared, few = FEW;
        int *const also = &second;
        const struct pair both = {&shared, &second};
        int second = 9;
#pragma cccp register(second)
        {
            int shared = 3;
            enum { FEW = 9 };
#pragma cccp register(shared)
            total += inner(at, few) + shared + FEW;
            shared += *also + *both.two + second;
#pragma cccp checkpoint
            total += shared + *both.one;
        }
        *at += few;
        *also += 2;
        second += few;
    }
    printf("%ld %d %d\n", total, shared, second);
#pragma cccp shutdown
    return 0;
}
