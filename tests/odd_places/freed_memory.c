/* A pointer to memory that was freed, next to the same memory got again.
   restarts */
#include <stdio.h>
#include <stdlib.h>

int main(void){ int i, s = 0; double *p = malloc(80), *q;
#pragma cccp init
 for (int k=0;k<10;k++) p[k]=k;
 q = p;
#pragma cccp register(i, s, p[10], q)
 for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
  if (i == 2) { free(p); p = malloc(80); for (int k=0;k<10;k++) p[k]=2*k; }
  s += p[i]; printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
