/* A parameter that is registered with what it points to moves on.
   restarts */
#include <stdio.h>
#include <stdlib.h>

static int k;
static double s;
static void f(double *p, int n) {
#pragma cccp register(p[n])
 for (k = 0; k < 4; k++) {
#pragma cccp checkpoint
  s += *p; p++; n--; printf("%g\n", s); } }
int main(void){ double *q;
#pragma cccp init
 q = malloc(80); for (int j=0;j<10;j++) q[j]=j;
#pragma cccp register(k, s)
 f(q, 10);
#pragma cccp shutdown
 return 0; }
