/* Memory that is freed before its function returns.
   restarts */
#include <stdio.h>
#include <stdlib.h>

static int s;
static int f(int k) { int *t = malloc(400 * sizeof *t);
 for (int j=0;j<400;j++) t[j]=k+j;
#pragma cccp register(t[400], k)
#pragma cccp checkpoint
 s += t[k % 4];
 free(t); return k; }
int main(void){ int i;
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 0; i < 5; i++) { f(i);
#pragma cccp checkpoint
 printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
