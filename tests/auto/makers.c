/* What a function makes through a local pointer is followed from its caller once it has returned. */
#include <stdio.h>
#include <stdlib.h>

struct matrix { int n; double **row; double *sum; };
struct model { struct matrix *a; int n; double *level; double *rate; double total; };

static void advance(const int *n, struct model *m)
{
    double *mixed = malloc(sizeof(double) * (size_t)*n);
    for (int k = 0; k < *n; k++)
        m->level[k] = 0.5 * k + m->rate[k];
    for (int k = 0; k < *n; k++) {
        for (int l = 0; l < *n; l++)
            mixed[l] = m->level[l] * 0.5 + k;
        for (int l = 0; l < *n; l++)
            m->total += mixed[l] * 1e-3;
    }
    free(mixed);
    for (int k = 0; k < *n; k++) {
        m->a->row[k][0] += m->total;
        m->a->sum[k] = m->rate[k];
    }
}

static struct matrix *new_matrix(int n)
{
    struct matrix *a = calloc(1, sizeof *a);
    a->n = n;
    a->row = calloc((size_t)n, sizeof(double *));
    for (int i = 0; i < n; i++)
        a->row[i] = calloc((size_t)n, sizeof(double));
    a->sum = calloc((size_t)n, sizeof(double));
    return a;
}

static struct model *new_model(const int *n)
{
    struct model *m = calloc(1, sizeof *m);
    m->n = *n;
    m->a = new_matrix(*n);
    m->level = malloc(sizeof(double) * (size_t)*n);
    m->rate = calloc((size_t)m->n, sizeof(double));
    for (int k = 0; k < m->n; k++)
        m->rate[k] = 1.0 + k % 7;
    advance(n, m);
    return m;
}

int main(int argc, char **argv)
{
    int *n = calloc(1, sizeof *n);
    *n = argc > 1 ? atoi(argv[1]) : 12;
    struct model *m = new_model(n);
    for (int i = 0; i != 30; i++) {
        advance(n, m);
        for (int k = 0; k < m->n; k++)
            m->rate[k] += 1e-6 * m->total;
    }
    for (int k = 0; k < m->n; k++)
        printf("%.17g %.17g %.17g\n", m->total, m->a->row[k][0], m->a->sum[k]);
    return 0;
}
