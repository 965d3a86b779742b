/* A pointer to a member, before one to the whole block.
   restarts */
#include <stdio.h>
#include <stdlib.h>

struct n { int k; double x; struct n *next; };
int main(void){ int i; double s = 0; double *end; struct n *head = malloc(sizeof *head);
#pragma cccp init
 head->k = 1; head->x = 2; head->next = NULL; end = &head->x;
#pragma cccp register(i, s, follow(end), follow(head))
 for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
  *end += i; s += head->x; printf("%g\n", s); }
#pragma cccp shutdown
 return 0; }
