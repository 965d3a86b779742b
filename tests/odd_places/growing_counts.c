/* An item that grows in a loop.
   restarts */
#include <stdio.h>
#include <stdlib.h>

int main(void){ int i, n = 2; double *p = calloc(2, sizeof *p), s = 0;
#pragma cccp init
#pragma cccp register(i, n, s)
 for (i = 0; i < 6; i++) {
   p = realloc(p, (n + 1) * sizeof *p); p[n] = i; p[n-1] += 1; n++;
#pragma cccp register(p[n])
#pragma cccp checkpoint
   for (int k = 2; k < n; k++) s += p[k];
   printf("%d %d %g\n", i, n, s);
 }
#pragma cccp shutdown
 return 0; }
