/* Pointers that nobody has set: in members, unions, arrays of structs, copies by value. */
#include <stdio.h>
#include <stdlib.h>
#include <alloca.h>
typedef struct part part; struct part { double *v; part *next, *spare; void (*hook)(part *); char *name; union { double *d; long l; } u; };
static part *chain(int n) { part *p = NULL; for (int i = 0; i < n; i++) { part *q = malloc(sizeof *q); q->v = calloc(4, 8); q->next = p; if (i & 1) q->spare = q; p = q; } return p; }
static void dirty(void) { volatile char b[4000]; for (int i = 0; i < 4000; i++) b[i] = 0x5a + i; }
static part byvalue(void) { part p; p.v = malloc(32); for (int i = 0; i < 4; i++) p.v[i] = i; return p; }
int main(void)
{
    dirty(); void *junk[50]; for (int i = 0; i < 50; i++) { junk[i] = malloc(sizeof(part)); for (unsigned k = 0; k < sizeof(part); k++) ((char *)junk[i])[k] = 0x41; } for (int i = 0; i < 50; i++) free(junk[i]);
    part a = byvalue(), *l = chain(6), t[3]; double s = 0;
    for (int i = 0; i < 3; i++) t[i].v = a.v + i;
    for (int i = 0; i < 30; i++) {
        for (part *p = l; p; p = p->next) s += p->v[i % 4] += i;
        s += t[i % 3].v[0] += a.v[3];
    }
    printf("%g\n", s);
    return 0;
}
