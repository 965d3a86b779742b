/* refused: `z` cannot be saved | has no portable form */
#include <stdio.h>
static __float128 _Complex z;
int main(void)
{
    for (int i = 0; i < 10; i++) {
        __real__ z += i;
        __imag__ z -= __real__ z;
    }
    printf("%g\n", (double)__imag__ z);
    return 0;
}
