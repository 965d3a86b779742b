/* Several places where jumps come back to, in a struct and in an array.
   refused: `ways` cannot be saved */
#include <setjmp.h>
#include <stdio.h>

static struct solver { sigjmp_buf back; int n; } solver;
static jmp_buf ways[2];
static int i;

static void work(void)
{
#pragma cccp checkpoint
    if (++solver.n % 3 == 0)
        longjmp(ways[i % 2], 1);
    if (i > 100)
        siglongjmp(solver.back, 1);
}

int main(void)
{
#pragma cccp init
#pragma cccp register(i, solver.n)
#pragma cccp register(ways)
#pragma cccp register(solver.back)
    if (setjmp(ways[0]) || setjmp(ways[1]) || sigsetjmp(solver.back, 0))
        printf("%d\n", i);
    for (; i < 10; i++)
        work();
#pragma cccp shutdown
    return 0;
}
