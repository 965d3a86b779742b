/* Calls through a pointer to functions with marks and without.
   restarts */
#include <stdio.h>

static double s;
static void plain(int k) { s += k; }
static void client(int k) {
#pragma cccp register(k)
#pragma cccp checkpoint
 s += 10 * k; printf("%g\n", s); }
static void (*const table[2])(int) = {plain, client};
int main(void){ int i; void (*now)(int);
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 0; i < 6; i++) { now = table[i % 2]; now(i); }
 printf("%g\n", s);
#pragma cccp shutdown
 return 0; }
