/* Functions that call each other, twice.
   restarts */
#include <stdio.h>

static int total;
static void even(int k); 
static void odd(int k) { int h = k;
#pragma cccp register(h)
 if (k > 0) even(k - 1);
 total += h; }
static void even(int k) { int h = -k;
#pragma cccp register(h)
#pragma cccp checkpoint
 if (k > 0) odd(k - 1);
#pragma cccp checkpoint
 total += h; printf("%d %d\n", k, total); }
int main(void){
#pragma cccp init
#pragma cccp register(total)
 even(4); odd(3);
#pragma cccp shutdown
 return 0; }
