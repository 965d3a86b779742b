/* A variable-length array of another length in each iteration.
   restarts */
#include <stdio.h>

int main(void){ int i, n; double s = 0;
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 1; i < 6; i++) { double w[i]; for (int k=0;k<i;k++) w[k]=k+s;
#pragma cccp register(w[i])
  for (n = 0; n < 2; n++) {
#pragma cccp register(n)
#pragma cccp checkpoint
   for (int k=0;k<i;k++) s += w[k]; } printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
