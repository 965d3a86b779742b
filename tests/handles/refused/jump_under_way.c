/* The function in which the checkpoint lies has called `setjmp` in a condition: control may come back there after a restart.
 * refused: cannot restore `back` | it is a handle of a library | jump_under_way.c:12 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static double sum;

static double checked(double x)
{
    if (x > 1e30)
        longjmp(back, 1);
    return x;
}

int main(void)
{
    if (setjmp(back)) {
        printf("too large: %g\n", sum);
        return 2;
    }
    for (int i = 0; i < 4000; i++)
        sum += checked(sum * 0.01 + i % 7);
    printf("%g\n", sum);
    return 0;
}
