/* A recursion with registers on each level, and a checkpoint in its leaves.
   restarts */
#include <stdio.h>

static int walk(int depth, int *sum){ int local = depth * 10;
#pragma cccp register(local)
 if (depth == 0) {
#pragma cccp checkpoint
   *sum += local + 1; printf("leaf %d\n", *sum); return 1; }
 int left = walk(depth - 1, sum);
#pragma cccp register(left)
 local += left;
 int right = walk(depth - 1, sum);
 printf("%d %d\n", depth, local + right);
 return left + right; }
int main(void){ int sum = 0;
#pragma cccp init
#pragma cccp register(sum)
 int n = walk(3, &sum); printf("%d %d\n", n, sum);
#pragma cccp shutdown
 return 0; }
