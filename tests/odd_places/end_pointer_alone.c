/* The only pointer into a block points to a member.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct n { int k; double x; struct n *next; };
static void *make(void) { struct n *head = malloc(sizeof *head); head->k = 1; head->x = 2; head->next = NULL; return head; }
int main(void){ int i; double s = 0; double *end; 
#pragma cccp init
 end = &((struct n *) make())->x;
#pragma cccp register(i, s, follow(end))
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  *end += i; s += *end; printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
