/* Memory of one branch: in structs, a union, text, and another file. link: -no-pie */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double *a; int n; } vec;
typedef struct { vec *v; union { long *l; double *d; } u; int kind; } mod;
static mod m;
static vec *make(int n) { vec *v = malloc(sizeof *v); v->a = n > 5 ? calloc(n, sizeof(double)) : NULL; v->n = v->a ? n : 0; return v; }
void other(mod *, int);
int main(int argc, char **argv)
{
    m.v = argc > 1 ? NULL : make(9);
    other(&m, argc);
    vec *w = argc > 2 ? m.v : make(3);
    char *text = NULL, **table = calloc(4, sizeof *table);
    double s = 0;
    for (int i = 0; i < 30; i++) {
        if (m.v) m.v->a[i % 9] += i;
        for (int k = 0; k < w->n; k++) s += w->a[k];
        if (i == 7) text = strdup("seven");
        if (i % 8 == 3) table[i / 8] = text ? strdup(text) : NULL;
        if (i == 20) { free(text); text = NULL; w->a = calloc(4, 8); w->n = 4; }
        s += text ? text[i % 5] : m.kind == 1 ? m.u.l[i % 3]++ : (m.u.d[i % 3] += 0.5);
        for (int k = 0; k < 4; k++) s += table[k] ? table[k][2] : 1;
        for (int k = 0; k < w->n; k++) w->a[k] += k;
    }
    printf("%g %d\n", s, argv == 0);
    return 0;
}
