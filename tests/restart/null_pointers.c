/* Pointers that are NULL at a checkpoint bring nothing, come back as NULL, and bring what they lead to later on. */
#include <stdio.h>
#include <stdlib.h>

typedef double *vector;
struct field { long n; double *u; vector spare; };

static double *global, *other;

static double sum(const double *p, long n)
{
    double total = 0;
    for (long i = 0; p != NULL && i < n; i++)
        total += p[i];
    return total;
}

static void grow(struct field *f, long step)
{
    f->u = malloc(f->n * sizeof *f->u);
    for (long i = 0; i < f->n; i++)
        f->u[i] = step + i;
}

int main(void)
{
    long n = 10, step, count = 0;
    double *early = NULL, *late = NULL;
    struct field row = {7, NULL, NULL};
    struct field field = {7, NULL, NULL}, *heap = calloc(1, sizeof *heap), *none = NULL;
#pragma cccp init
    heap->n = 5;
    if (n > 5)
        global = calloc(n, sizeof *global);
    else
        other = calloc(n, sizeof *other);
    early = calloc(n, sizeof *early);
#pragma cccp register(n, step, global[n], other[n], early[n], late[n], count, field.n, field.u[7])
#pragma cccp register(row.u[7], heap, none)
#pragma cccp register(heap->n, heap->u[5], heap->spare, none->u[5], field.spare)
    for (step = 0; step < 12; step++) {
        global[step % n] += step;
        if (step == 3) {
            late = malloc(n * sizeof *late);
            for (long i = 0; i < n; i++)
                late[i] = i * step;
        }
        if (step == 5) {
            free(early);
            early = NULL;
            grow(&field, step);
            row.u = calloc(7, sizeof *row.u);
        }
        if (step == 7)
            grow(heap, step);
        if (step == 9) {
            free(late);
            late = NULL;
        }
        if (early)
            early[step] = step;
        if (row.u)
            row.u[step % 7] += 1;
        count += step;
#pragma cccp checkpoint if(step % 2 == 1)
        printf("%ld %g %g %g %g %g %g %g %d %ld\n", step, sum(global, n), sum(other, n), sum(early, n), sum(late, n),
               sum(field.u, 7), sum(heap->u, 5), sum(row.u, 7), none == NULL, count);
    }
#pragma cccp shutdown
    return 0;
}
