/* A producer and a consumer, which waits in a loop of its own: nobody can see that it stands still. */
#include <stdio.h>
#include <omp.h>
static int full, slot;
static long sum;
int main(void)
{
#pragma cccp init
#pragma cccp register(full, slot, sum)
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), k;
#pragma cccp register(me, k)
        for (k = 0; k < 30; k++) {
            int now;
            do {
#pragma omp atomic read
                now = full;
            } while (now != me);
            if (me == 0) {
#pragma cccp checkpoint
                slot = k;
            } else
                sum = sum * 3 % 1000003 + slot;
#pragma omp atomic write
            full = !me;
        }
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
