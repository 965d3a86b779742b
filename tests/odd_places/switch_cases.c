/* Blocks in the cases of a switch that fall through.
   restarts */
#include <stdio.h>

static double s;
static void one(int k){ double q = k;
#pragma cccp register(q)
 switch (k % 3) {
 case 0:
#pragma cccp checkpoint
   q += 1;
   break;
 case 1: {
   int t = k;
#pragma cccp register(t)
   q += 2;
#pragma cccp checkpoint
   q += t;
 } /* fall through */
 default:
#pragma cccp execute on restart
   ;
#pragma cccp end execute
#pragma cccp checkpoint
   q *= 2;
 }
 s += q; printf("%d %g %g\n", k, q, s);
}
int main(void){ int i;
#pragma cccp init
#pragma cccp register(i, s)
 for (i = 0; i < 6; i++) one(i);
#pragma cccp shutdown
 return 0; }
