/* Memory from `alloca`.
   restarts */
#include <stdio.h>

#include <alloca.h>
static double s;
static void f(int n) { double *w = alloca(n * sizeof *w); for (int k=0;k<n;k++) w[k]=k;
#pragma cccp register(w[n], n)
 for (int k = 0; k < n; k++) {
#pragma cccp register(k)
#pragma cccp checkpoint
  s += w[k]; } printf("%g\n", s); }
int main(void){
#pragma cccp init
#pragma cccp register(s)
 f(2); f(3);
#pragma cccp shutdown
 return 0; }
