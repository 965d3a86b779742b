/* A checkpoint while a lock is held, with constructs whose own barriers nobody can write out, or that all threads execute. */
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static long sum, drawn, shared, total, each[64];

static long draw(void)
{
    long value;
#pragma omp single copyprivate(value)
    value = drawn = (drawn * 31 + 7) % 1009;
    return value;
}

int main(void)
{
    omp_init_lock(&lock);
#pragma cccp init
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        long own = me;
        for (int step = 0; step < 40; step++) {
            omp_set_lock(&lock);
            long seen = sum;
#pragma cccp checkpoint
            sum = seen + step;
            omp_unset_lock(&lock);
            long value;
            if (step % 3 != 1)
                value = draw();
            else
#pragma omp single copyprivate(value)
                value = drawn + step;
            own += value;
#pragma omp scope reduction(+ : shared)
            shared += own % 5;
            own += shared;
        }
#pragma omp barrier
        each[me] = own;
    }
    for (int i = 0; i < 64; i++)
        total = total * 17 + each[i];
    printf("%ld %ld %ld\n", total, sum, drawn);
    return 0;
}
