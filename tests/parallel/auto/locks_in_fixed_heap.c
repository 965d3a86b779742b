/* Each block holds a record and, behind it, a lock that no type names. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 16;
    typedef struct { double c1, c2; } counter;
    size_t size = 2 * sizeof(counter);
    char *mem = malloc(size * n);
    for (int i = 0; i < n; i++) { counter *c = (counter *)(mem + i * size); c->c1 = i; c->c2 = 0; omp_init_lock((omp_lock_t *)(c + 1)); }
    for (int step = 0; step < 20; step++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            counter *c = (counter *)(mem + ((i * 7) % n) * size);
            omp_set_lock((omp_lock_t *)(c + 1));
            c->c1 += step;
            omp_unset_lock((omp_lock_t *)(c + 1));
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += ((counter *)(mem + i * size))->c1;
    printf("%g\n", s);
    return 0;
}
