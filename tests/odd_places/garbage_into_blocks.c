/* A member that nobody reads points into the middle of a block of another type.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct q { long n; double *v; double *device; };
struct other { char *t; long k; };
int main(void){ int i; double s = 0; struct q a; struct other *o = malloc(3 * sizeof *o); 
#pragma cccp init
 a.n = 5; a.v = calloc(5, 8); o[0].t = o[1].t = o[2].t = NULL; o[1].k = 4;
 a.device = (double *) &o[1].k;
#pragma cccp register(i, s, follow(a))
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  a.v[i] += i; s += a.v[i]; printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
