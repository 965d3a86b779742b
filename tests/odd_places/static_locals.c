/* Statics registered when control comes there, and others.
   restarts */
#include <stdio.h>

static int next(void) { static int n = 3; 
#pragma cccp register(n)
 return n++; }
static int other(int k) { if (k) { static int m; 
#pragma cccp register(m)
 m += k; return m; } return 0; }
int main(void){ int i, s = 0;
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 0; i < 5; i++) { s += next();
#pragma cccp checkpoint
 s += other(i); printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
