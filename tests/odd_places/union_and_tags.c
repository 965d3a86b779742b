/* A union, and a pointer into the middle of a block.
   restarts */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union u { double d; char *p; long l; }; struct t { union u u; char *tagged; long n; };
int main(void){ int i; struct t t = {{0}, NULL, 0}; char *block = malloc(16);
#pragma cccp init
 memset(block, 1, 16); t.tagged = block + 1; t.u.d = 1.5;
#pragma cccp register(i, t, block[16])
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  if (i == 2) t.u.l = 77;
  t.n += *t.tagged + (i > 1 ? t.u.l : (long)t.u.d); t.tagged++; printf("%ld\n", t.n); }
#pragma cccp shutdown
 return 0; }
