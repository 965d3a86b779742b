/* Regions and barriers that stand in the operator `_Pragma`, on lines of their own: they are changed like lines `#pragma`. Threads come
   unequally often to the checkpoint, so that others wait at barriers, also that of a loop that may be cancelled. */
#include <stdio.h>
#include <omp.h>

static long u[40], sum, hit;

int main(void)
{
    for (int i = 0; i < 40; i++)
        u[i] = i % 7;
#pragma cccp init
#pragma cccp register(u, sum, hit)
    _Pragma("omp parallel")
    {
        const int me = omp_get_thread_num();
        long own = me + 1;
#pragma cccp register(me, own)
        for (int step = 0; step < 30; step++) {
#pragma cccp register(step)
            if (me == step % 2) {
                own += 3;
#pragma cccp checkpoint
            }
            _Pragma("omp barrier")
            _Pragma("omp single")
            hit = 0;
            _Pragma("omp for schedule(dynamic)")
            for (int i = 0; i < 40; i++) {
                if (u[i] == 6 + step % 5) {
#pragma omp atomic write
                    hit = 1;
#pragma omp cancel for
                }
            }
            own += hit;
            _Pragma("omp barrier")
            _Pragma("omp for")
            for (int i = 0; i < 40; i++)
                u[i] += i % 3 + hit;
        }
        _Pragma("omp atomic")
        sum += own;
    }
    for (int i = 0; i < 40; i++)
        sum = sum * 3 + u[i];
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
