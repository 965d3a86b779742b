/* Where a jump comes back to, by another name.
   refused: a value of type `jmp_buf` means nothing in another process */
#include <setjmp.h>
#include <stdio.h>

typedef jmp_buf way_back;
static way_back back;
static int i, n;

static void work(void)
{
#pragma cccp checkpoint
    if (++n % 3 == 0)
        longjmp(back, 1);
}

int main(void)
{
#pragma cccp init
#pragma cccp register(i, n, back)
    if (setjmp(back))
        printf("%d\n", i);
    for (; i < 10; i++)
        work();
#pragma cccp shutdown
    return 0;
}
