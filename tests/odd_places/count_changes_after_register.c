/* The number of elements changes behind the register.
   told: leaves out a part of its block */
#include <stdio.h>
#include <stdlib.h>

int main(void){ int i, n = 6; double *p = calloc(10, sizeof *p);
#pragma cccp init
#pragma cccp register(i, n, p[n])
 for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
   n = 6 + i % 2; p[i] += i + 1; printf("%d %d %g\n", i, n, p[i]+p[0]);
 }
#pragma cccp shutdown
 return 0; }
