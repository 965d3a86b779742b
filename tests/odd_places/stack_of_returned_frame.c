/* A pointer to the stack of a function that has returned.
   told: a pointer points to nothing that is registered */
#include <stdio.h>

static double *leak(void) { double v[10]; for (int k=0;k<10;k++) v[k]=k; double *volatile p = v; return p; }
int main(void){ int i, s = 0; double *p = leak();
#pragma cccp init
#pragma cccp register(i, s, p)
 for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
  s += i; printf("%d\n", s); }
 if (s == 1000) printf("%g\n", *p);
#pragma cccp shutdown
 return 0; }
