/* Functions with marks are called before `init`, too.
   restarts */
#include <stdio.h>

static int x, i;
static void step(void) {
#pragma cccp register(x, i)
#pragma cccp checkpoint
 x += i; }
int main(void){ 
 for (i = 0; i < 3; i++) step();
#pragma cccp init
 for (; i < 8; i++) { step(); printf("%d %d\n", i, x); }
#pragma cccp shutdown
 return 0; }
