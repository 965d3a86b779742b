/* refused: is in an operand of inline assembly | compute the operand into a variable before the statement */
#include <stdio.h>

static int cells[4], sum;

static int *next(int i)
{
#pragma cccp checkpoint
    sum += i;
    return &cells[i % 4];
}

int main(void)
{
    int i;
#pragma cccp init
#pragma cccp register(i, cells, sum)
    for (i = 0; i < 12; i++) {
        __asm__("" : "+r"(*next(i)));
        cells[i % 4] += sum;
    }
    printf("%d %d\n", sum, cells[3]);
#pragma cccp shutdown
    return 0;
}
