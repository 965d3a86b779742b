/* An item and a member that nobody reads disagree about a block of numbers.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct q { long n; long *junk; double *v; };
int main(void){ int i; double s = 0; struct q a; 
#pragma cccp init
 a.n = 5; a.v = calloc(5, 8); a.junk = (long *) a.v;
#pragma cccp register(i, s, a.v[], a)
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  a.v[i] += i; s += a.v[i]; printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
