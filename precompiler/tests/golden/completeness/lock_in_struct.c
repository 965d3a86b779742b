/* A lock in a struct, in a variable and in memory: what is missing is the lock, whose members nobody writes (S26). */
#include <omp.h>
#include <stdlib.h>
struct cell {
    int value;
    omp_lock_t other, more[2];
};
static int add(struct cell *to)
{
    omp_set_lock(&to->other);
    omp_set_lock(&to->more[1]);
    to->value++;
    omp_unset_lock(&to->more[1]);
    omp_unset_lock(&to->other);
    return to->value;
}
int main(void)
{
    int i, sum = 0;
    struct cell one = {0}, *all;
#pragma cccp init
    all = malloc(sizeof *all);
    if (!all)
        return 1;
    omp_init_lock(&one.other);
    omp_init_lock(&one.more[1]);
    omp_init_lock(&all->other);
    omp_init_lock(&all->more[1]);
    all->value = 0;
#pragma cccp register(i, sum, one.value, all)
    for (i = 0; i < 9; i++) {
/* must: one.other missing */
/* must: one.more missing */
/* must: all->other missing */
/* must: all->more missing */
#pragma cccp checkpoint
        sum += add(&one) + add(all);
    }
#pragma cccp shutdown
    return sum;
}
