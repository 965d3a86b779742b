/* What is unregistered before it is registered, and before it is freed.
   told: `x` is not registered */
#include <stdio.h>
#include <stdlib.h>

static double x, *p;
int main(void){ int i;
#pragma cccp init
#pragma cccp unregister(x)
#pragma cccp register(i, x)
 p = malloc(40); for (int k=0;k<5;k++) p[k]=k;
#pragma cccp register(p[5])
 for (i = 0; i < 6; i++) {
   if (i == 3) {
#pragma cccp unregister(p)
     free(p); p = NULL; }
#pragma cccp checkpoint
   if (i < 3) x += p[i];
   printf("%d %g\n", i, x);
 }
#pragma cccp shutdown
 return 0; }
