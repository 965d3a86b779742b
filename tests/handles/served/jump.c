/* Places where jumps come back to, of which one is in a struct: they are set again. */
#include <setjmp.h>
#include <stdio.h>

struct places { int count; jmp_buf again; };

static jmp_buf back;
static struct places all;
static int sum, i, came;

static void work(void)
{
    if (i % 3 == 2)
        longjmp(back, 1);
    if (i == 4 && all.count++ == 0)
        longjmp(all.again, 1);
    sum += i;
}

int main(void)
{
    came = setjmp(back);
    if (came) {
        sum += 100;
        i++;
    }
    came = setjmp(all.again);
    for (; i < 12; i++) {
        work();
    }
    printf("%d %d\n", sum, all.count);
    return 0;
}
