/* Calls in arguments and conditions.
   restarts */
#include <stdio.h>

static int x;
static int f(int k, int *p) {
#pragma cccp register(k)
#pragma cccp checkpoint
 *p += k; printf("%d\n", *p); return k + 1; }
int main(void){ int i, a = 1, b = 2;
#pragma cccp init
#pragma cccp register(i, x, a, b)
 for (i = 0; i < 5; i++) { int *p = i % 2 ? &a : &b; x = f(f(x, p) > 2 ? a : b, &x) + (i && f(i, &b)); }
 printf("%d %d %d\n", x, a, b);
#pragma cccp shutdown
 return 0; }
