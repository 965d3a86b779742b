/* A member that nobody reads points to the same block as another one, as another type.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct q { long n; double *v; struct q *device; };
int main(void){ int i; double s = 0; struct q a;
#pragma cccp init
 a.n = 5; a.v = calloc(6, 8); a.device = (struct q *) a.v;
#pragma cccp register(i, s, follow(a))
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  a.v[i] += i; s += a.v[i]; printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
