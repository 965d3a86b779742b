/* Functions that return early, and unregister what they free.
   restarts */
#include <stdio.h>
#include <stdlib.h>

static int s;
static int f(int k) { int *t = malloc(4 * sizeof *t);
 if (!t) return -1;
 for (int j=0;j<4;j++) t[j]=k+j;
#pragma cccp register(t[4], k)
 if (k == 1) {
#pragma cccp unregister(t)
  free(t); return 0; }
#pragma cccp checkpoint
 s += t[k % 4];
#pragma cccp unregister(t)
 free(t); return k; }
int main(void){ int i;
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 0; i < 5; i++) { f(i); printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
