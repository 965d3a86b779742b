/* `init` and the checkpoints in a constructor.
   restarts */
#include <stdio.h>
static double x; static int i;
__attribute__((constructor)) static void first(void)
{
#pragma cccp init
#pragma cccp register(i, x)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        x += i;
    }
}
int main(void) { printf("%g\n", x); 
#pragma cccp shutdown
return 0; }
