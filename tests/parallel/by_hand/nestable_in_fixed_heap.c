/* A nestable lock in a fixed heap comes back with it, and one beside it where it is registered. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
long out[4];
int main(void)
{
#pragma cccp init heap(fixed)
    omp_nest_lock_t *lock = malloc(sizeof *lock);
    omp_nest_lock_t other;
    omp_init_nest_lock(lock);
    omp_init_nest_lock(&other);
    int k = 0;
#pragma cccp register(out, k, lock, other)
    for (k = 0; k < 20; k++) {
#pragma cccp checkpoint
#pragma omp parallel num_threads(2)
    {
        omp_set_nest_lock(lock);
        omp_set_nest_lock(&other);
        out[0] += k;
        omp_unset_nest_lock(&other);
        omp_unset_nest_lock(lock);
    }
    }
    printf("%ld\n", out[0]);
#pragma cccp shutdown
    return 0;
}
