/* Structs with pointers as arguments.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct v { double a[3]; double *p; int n; };
static double s;
static struct v f(struct v v, double scale) {
#pragma cccp register(v)
#pragma cccp checkpoint
 v.a[1] += scale * v.p[0]; v.n++; s += v.a[1]; printf("%g %d\n", s, v.n); return v; }
int main(void){ struct v v = {{1,2,3}, NULL, 0}; double *q = malloc(16); int i;
#pragma cccp init
 q[0] = 2; q[1] = 3; v.p = q;
#pragma cccp register(v, i, s, q[2])
 for (i = 0; i < 4; i++) v = f(f(v, i), i + 1);
 printf("%g\n", v.a[1]);
#pragma cccp shutdown
 return 0; }
