/* Two runs in one program.
   restarts */
#include <stdio.h>

static int run(int k) { int i, s = 0;
#pragma cccp init
#pragma cccp register(i, s, k)
 for (i = 0; i < 3; i++) {
#pragma cccp checkpoint
  s += i + k; }
#pragma cccp shutdown
 return s; }
int main(void){ int a = run(1); int b = run(2); printf("%d %d\n", a, b); return 0; }
