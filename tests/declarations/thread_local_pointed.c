/* Variables of a thread that nothing changes, and pointers to them: they lie elsewhere in every process. */
#include <stdio.h>

typedef struct { long key, value; } pair;

static _Thread_local int weights[4] = {3, 1, 4, 1};
static __thread pair first = {7, 8};
static int *at = NULL;
struct held { pair *pair; } holder;

static int *found(int which)
{
    return &weights[which & 3];
}

int main(void)
{
    long sum = 0;
    at = found(0);
    holder.pair = &first;
    for (int step = 0; step < 12; step++) {
        sum = sum * 3 % 10007 + *at + holder.pair->value;
        at = found(step);
    }
    printf("%ld %ld\n", sum, holder.pair->key);
    return 0;
}
