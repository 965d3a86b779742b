/* A block that may end the program.
   restarts */
#include <stdio.h>
#include <stdlib.h>

int main(void){ int i, s = 0; FILE *f = NULL;
#pragma cccp init
#pragma cccp register(i, s)
#pragma cccp execute on restart
 f = fopen("/dev/null", "w"); if (!f) exit(3);
#pragma cccp end execute
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  s += i; fprintf(f, "%d\n", s); printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
