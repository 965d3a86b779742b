/* A jump over the frames of functions with registers.
   restarts */
#include <stdio.h>

#include <setjmp.h>
static jmp_buf back; static int x;
static void deep(int k) { 
#pragma cccp register(k)
 x += k; if (k == 0) longjmp(back, 1); deep(k - 1); }
int main(void){ volatile int i;
#pragma cccp init
#pragma cccp register(i, x)
 for (i = 0; i < 5; i++) {
   if (setjmp(back) == 0) deep(3);
#pragma cccp checkpoint
   printf("%d %d\n", i, x); }
#pragma cccp shutdown
 return 0; }
