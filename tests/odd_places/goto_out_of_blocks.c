/* Jumps out of and into the scopes of registers.
   restarts */
#include <stdio.h>

int main(void){ int i = 0, s = 0;
#pragma cccp init
#pragma cccp register(i, s)
again:
 { int t = i * 2;
#pragma cccp register(t)
   while (1) {
#pragma cccp checkpoint
     s += t; i++;
     if (i % 3 == 0) goto out;
     if (i % 3 == 1) goto again;
   } }
out:
 printf("%d %d\n", i, s);
 if (i < 9) goto again;
#pragma cccp shutdown
 return 0; }
