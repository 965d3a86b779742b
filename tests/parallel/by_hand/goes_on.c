/* Behind a checkpoint threads compute for themselves before they change what all share: in the region, in blocks, at the end of a
 * loop, and in a function. */
#include <math.h>
#include <omp.h>
#include <stdio.h>

#define N 64

static double u[N], done[N];

/* The checkpoint of a function: the thread waits before it comes back. */
static double look(int step)
{
    double all, least;
    int i;
#pragma cccp register(step)
#pragma cccp checkpoint
    all = 0;
    least = 1e30;
    for (i = 0; i < N; i++) {
        double one = sqrt(fabs(u[i]) + step);
        all += one;
        if (one < least)
            least = one;
    }
    return all / N + least;
}

int main(void)
{
    int i, threads = 0;
    double sum = 0;
#pragma cccp init
    for (i = 0; i < N; i++)
        u[i] = i;
#pragma cccp register(u, done, threads)
#pragma omp parallel
    {
        int me = omp_get_thread_num(), step, k;
        double own = me, part, looked;
#pragma omp single
        threads = omp_get_num_threads();
        for (step = 0; step < 20; step++) {
#pragma cccp register(me, own, step, part, looked)
#pragma cccp checkpoint
            part = 0;
            for (k = 0; k < 500 * (1 + (me + step) % 3); k++)
                part += u[(k + me) % N] * 1e-3;
            own = own * 0.5 + part;
#pragma omp barrier
            looked = look(step);
#pragma omp barrier
            if (step % 2 == 0) {
#pragma cccp checkpoint
                own += looked;
                part = own > 3 ? own / 2 : own;
            }
            k = step;
#pragma omp for schedule(static)
            for (i = 0; i < N; i++)
                u[i] = u[i] * 0.9 + (own + part + k) / N;
#pragma omp critical
            done[step % N] += own;
#pragma omp barrier
        }
    }
    for (i = 0; i < N; i++)
        sum += u[i];
    printf("%d threads, sum %.9e\n", threads, sum);
#pragma cccp shutdown
    return 0;
}
