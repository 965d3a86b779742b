/* Members of blocks that nobody has set.
   told: a pointer points to nothing that is registered */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int v; struct node *next; double *data; char *spare; };
int main(void){ int i, s = 0; struct node *head = NULL;
#pragma cccp init
#pragma cccp register(i, s, follow(head))
 void *dirty[8]; for (int k=0;k<8;k++) { dirty[k] = malloc(sizeof(struct node)); memset(dirty[k], 0x41 + k, sizeof(struct node)); }
 for (int k=0;k<8;k++) free(dirty[k]);
 for (i = 0; i < 6; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = head; head = n; if (i % 2) { n->data = malloc(16); n->data[0] = i; n->data[1] = 0;}
#pragma cccp checkpoint
  for (struct node *k = head; k; k = k->next) s += k->v + (k->v % 2 ? (int) k->data[0] : 0);
  printf("%d\n", s); }
#pragma cccp shutdown
 return 0; }
