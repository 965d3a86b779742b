/* Registers in branches, taken or not.
   restarts */
#include <stdio.h>
#include <stdlib.h>

static int a, b;
int main(void){ int i, mode; double *p = NULL, x = 0;
#pragma cccp init
 mode = 1;
#pragma cccp register(mode)
 if (mode) { p = malloc(8 * sizeof *p); for (int k=0;k<8;k++) p[k]=k;
#pragma cccp register(p[8], x)
 } else {
#pragma cccp register(a)
   a = 3;
 }
 for (i = 0; i < 6; i++) {
#pragma cccp register(i)
   if (i % 2) {
#pragma cccp register(b)
     b += i;
   }
#pragma cccp checkpoint
   x += p[i] + b; printf("%d %g %d %d\n", i, x, a, b);
 }
#pragma cccp shutdown
 return 0; }
