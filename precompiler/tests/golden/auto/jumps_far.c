/* refused: `env` | it is a handle of a library */
/* Where `longjmp` leads to lies on the stack of the process that died. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int sum;

static void step(int k)
{
#pragma cccp checkpoint
    if (sum > 5)
        longjmp(env, 1);
    sum += k;
}

int main(void)
{
    if (setjmp(env))
        return printf("%d\n", sum) < 0;
    for (int k = 0; k < 9; k++)
        step(k);
    return 0;
}
