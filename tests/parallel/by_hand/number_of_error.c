/* A directive leaves `errno` as it was, in every thread, and so does a restart. */
#include <errno.h>
#include <omp.h>
#include <stdio.h>

static long changed;

int main(void)
{
#pragma cccp init
#pragma cccp register(changed)
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step)
            errno = 3 + me;
#pragma cccp checkpoint
            if (errno != 3 + me) {
#pragma omp atomic
                changed++;
            }
        }
    }
    for (int step = 0; step < 20; step++) {
#pragma cccp register(step)
        errno = step;
#pragma cccp checkpoint
        changed += errno != step;
    }
    printf("%ld\n", changed);
#pragma cccp shutdown
    return 0;
}
