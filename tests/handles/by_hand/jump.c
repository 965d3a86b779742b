/* refused: `back` is live at this checkpoint | `all.again` is live at this checkpoint | put what makes it (line
   | a handle cannot be saved */
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
#pragma cccp init
#ifdef CURED
#pragma cccp execute on restart
    came = setjmp(back);
#pragma cccp end execute
#else
    came = setjmp(back);
#endif
    if (came) {
        sum += 100;
        i++;
    }
#ifdef CURED
#pragma cccp execute on restart
    came = setjmp(all.again);
#pragma cccp end execute
#pragma cccp register(i, sum, all.count)
#else
    came = setjmp(all.again);
#pragma cccp register(i, sum, all.count)
#endif
    for (; i < 12; i++) {
#pragma cccp checkpoint
        work();
    }
    printf("%d %d\n", sum, all.count);
#pragma cccp shutdown
    return 0;
}
