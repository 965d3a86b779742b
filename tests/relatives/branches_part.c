/* The other file of branches.c. */
#include <stdlib.h>
typedef struct { double *a; int n; } vec;
typedef struct { vec *v; union { long *l; double *d; } u; int kind; } mod;
void other(mod *m, int k) { m->kind = k > 1; if (m->kind) m->u.l = calloc(3, sizeof(long)); else m->u.d = calloc(3, sizeof(double)); }
