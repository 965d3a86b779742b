/* Each thread of a region rounds in its own way, has raised and traps its own exceptions, and blocks its own signals. */
#define _GNU_SOURCE
#include <fenv.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>

static double sums[8];
static long seen[8];

static void begin(int me)
{
    static const int ways[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    sigset_t set;
    fesetround(ways[(me + 1) % 4]);
    feclearexcept(FE_ALL_EXCEPT);
    if (me == 1)
        feraiseexcept(FE_OVERFLOW);
    if (me == 2)
        feenableexcept(FE_INVALID);
    sigemptyset(&set);
    sigaddset(&set, me % 2 ? SIGUSR1 : SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static long look(void)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return fegetround() + (fetestexcept(FE_OVERFLOW) != 0) + 2 * (fegetexcept() == FE_INVALID) + 4 * sigismember(&now, SIGUSR1) +
           8 * sigismember(&now, SIGUSR2);
}

int main(void)
{
#pragma cccp init
#pragma cccp register(sums, seen)
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        double x = 1;
        begin(me);
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step, x)
#pragma cccp checkpoint
            x = x / 3 + 0.1;
            sums[me] += x;
            seen[me] += look() * (step + 1);
            /* Usual again, while others are not. */
            if (step == 11 && me == 0)
                fesetround(FE_TONEAREST);
        }
    }
    /* Here they come unequally often, and whoever comes first takes the checkpoint. */
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        double x = 1;
        begin(me + 1);
        for (int step = 0; step < 20; step++) {
#pragma cccp register(me, step, x)
            if (me == step % omp_get_num_threads()) {
#pragma cccp checkpoint
            }
#pragma omp barrier
            x = x / 7 + 0.1;
            sums[me] += x;
            seen[me] += look() * (step + 1);
        }
    }
    /* What the initial thread has is its own behind the regions, too. */
    for (int step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        seen[7] += look();
        sums[7] += step / 3.0;
    }
    for (int i = 0; i < 8; i++)
        printf("%a %ld\n", sums[i], seen[i]);
#pragma cccp shutdown
    return 0;
}
