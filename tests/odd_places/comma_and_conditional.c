/* Calls in all parts of the heads of loops.
   restarts */
#include <stdio.h>

static int s;
static int f(int k) {
#pragma cccp register(k)
#pragma cccp checkpoint
 s += k; printf("%d\n", s); return k; }
int main(void){ int i, r = 0;
#pragma cccp init
#pragma cccp register(i, s, r)
 for (i = 0; i < 4; r += (f(i), f(i + 1)), i++) if (f(i) && (i > 2 || f(10))) r++;
 do r += f(i--); while (i > 0 && f(i));
 printf("%d\n", r);
#pragma cccp shutdown
 return 0; }
