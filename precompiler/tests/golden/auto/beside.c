/* A pointer that comes back leads to a block from before init, which never changes: it is known by an item of this pointer,
   and not by one of another that may lead there as well. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int one;
};

static struct pair *kept;

static int work(struct pair *given)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) { /* before: register(sum) */
        if (sum > i) {
            given = malloc(sizeof *given);
            given->one = i;
        }
#pragma cccp checkpoint
        sum += given->one + kept->one;
        kept = kept;
    }
    return sum;
}

int main(void)
{
    kept = calloc(1, sizeof *kept);
    kept->one = 6;
#pragma cccp init
    printf("%d\n", work(kept)); /* before: register(kept[1]) */
#pragma cccp shutdown
    return 0;
}
