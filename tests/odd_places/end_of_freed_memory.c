/* Pointers to the end of memory that was freed, by chance near to the next block: a variable, and a member of a struct.
   restarts */
#include <stdio.h>
#include <stdlib.h>

typedef int *end;
typedef struct { int *begin; end end; } range;

static range made(int n)
{
    range one;
    one.begin = malloc(n * sizeof *one.begin);
    one.end = one.begin + n;
    return one;
}

int main(void)
{
    int i, sum = 0;
    range old = made(4);
    int *own = malloc(4 * sizeof *own), *other = malloc(4 * sizeof *other);
    end behind = own + 4;
    for (int k = 0; k < 4; k++)
        own[k] = other[k] = old.begin[k] = k;
    sum += old.end[-1] + behind[-1];
    free(own);
    free(old.begin);
#pragma cccp init
#pragma cccp register(i, sum, other[4], behind, old)
    for (i = 0; i < 8; i++) {
#pragma cccp checkpoint
        sum += other[i % 4] += i;
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
