/* Threads try for a lock, and give it back. */
#include <omp.h>
#include <stdio.h>
static omp_lock_t guard;
static long total[64], sum;
int main(void)
{
    omp_init_lock(&guard);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int step = 0; step < 40; step++) {
            total[me] += step * me;
#pragma omp barrier
            while (!omp_test_lock(&guard))
                ;
            sum += me;
            omp_unset_lock(&guard);
            if (omp_test_lock(&guard)) {
                omp_unset_lock(&guard);
            }
#pragma omp barrier
        }
    }
    printf("%ld %ld\n", total[1], sum);
    return 0;
}
