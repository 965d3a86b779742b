/* A call on the way is made again with the pointer of the undisturbed run: one at file scope that nobody reads later, and that was
   changed since `init`, is not evaluated once more. */
#include <stdio.h>
#include <stdlib.h>

struct grid { double *cells; int n; };

static double first[4] = { 1, 2, 3, 4 }, second[4] = { 5, 6, 7, 8 };
static int number, *spare, *kept;
static int **where;
static double *current = first;
static unsigned sum;

static __attribute__((noinline)) int store(int **to, double *cells)
{
    int **own = &spare;
    for (int k = 0; k < 2; k++) {
#pragma cccp register(k)
#pragma cccp checkpoint
        sum = sum * 31 + (unsigned)cells[k];
        cells[k] += 1;
    }
    *own = *to = &number;
    number++;
    return kept != 0;
}

static __attribute__((noinline)) int **chosen(int round)
{
#pragma cccp checkpoint
    return round & 1 ? &kept : &spare;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(sum, number, kept, first, second)
    for (int round = 0; round < 5; round++) {
#pragma cccp register(round)
        where = chosen(round);
        current = round & 1 ? first : second;
        int stored = store(where, current);
        sum = sum * 31 + stored;
        printf("%d %u\n", round, sum);
    }
    return 0;
}
