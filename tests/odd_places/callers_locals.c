/* Items behind pointers to locals of callers.
   restarts */
#include <stdio.h>

static void inner(double *x, int *n, int i){
#pragma cccp register(x[3], i)
 for (; *n < i; ++*n) {
#pragma cccp checkpoint
  x[*n % 3] += *n; printf("%d %g\n", *n, x[0] + x[1]);
 } }
static void outer(int k){ double v[3] = {k, k, k}; int n = 0;
#pragma cccp register(v, n)
 inner(v, &n, k); printf("out %g\n", v[2]); }
int main(void){
#pragma cccp init
 outer(3); outer(5);
#pragma cccp shutdown
 return 0; }
