/* Arrays of each thread whose length is a constant that is registered behind them, of which each thread has a copy. */
#include <omp.h>
#include <stdio.h>
#include <string.h>
static long total;
int main(void)
{
#pragma cccp init
    int n = 5;
#pragma cccp register(total)
#pragma omp parallel firstprivate(n)
    {
        long a[n], own = omp_get_thread_num();
        memset(a, 0, sizeof a);
#pragma cccp register(n, a, own)
        for (int step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
            a[step % n] += step;
            own += a[step % 3];
#pragma omp barrier
        }
#pragma omp atomic
        total += own;
    }
    printf("%ld\n", total);
#pragma cccp shutdown
    return 0;
}
