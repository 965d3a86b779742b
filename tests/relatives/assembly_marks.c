/* Marks around assembly, with a directive of the preprocessor in it. x86-64 */
#include <stdio.h>
static int x, s;
static void f(int k)
{
#pragma cccp register(k)
#pragma cccp checkpoint
    asm volatile("" : "+r"(k));
#pragma cccp checkpoint
    s += k;
}
int main(void)
{
    int i;
#pragma cccp init
    asm volatile("nop");
#pragma cccp register(i, x, s)
    asm volatile("nop");
    for (i = 0; i < 8; i++) {
        asm("" : "+r"(x));
#pragma cccp checkpoint
        asm volatile("addl $1, %0" : "+m"(x));
#pragma cccp checkpoint
        asm volatile("nop"
#define NOTHING
            : : : "memory");
        if (i % 2) {
#pragma cccp checkpoint
            asm("" : "+r"(x));
        }
        f(i);
    }
    printf("%d %d\n", x, s);
#pragma cccp shutdown
    asm volatile("nop");
    return 0;
}
