/* What belongs to the thread that enters a region in a function is registered in that region. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long out[4];

static void solve(int me, int rounds)
{
    long sum = me, parts[3] = {me, 2 * me, 7};
#pragma cccp register(me, rounds)
#pragma omp parallel num_threads(2)
    {
        int who = omp_get_thread_num(), k = 0;
#pragma cccp register(who, k, sum, parts)
        for (k = 0; k < rounds; k++) {
#pragma cccp checkpoint
#pragma omp atomic
            sum += k + who;
#pragma omp barrier
            if (who == 0)
                parts[k % 3] += sum % 7;
#pragma omp barrier
        }
    }
    out[me] += sum + parts[0] + parts[1] * 10 + parts[2] * 100;
}

int main(void)
{
    omp_set_max_active_levels(2);
#pragma cccp init
#pragma cccp register(out)
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num(), k = 0;
#pragma cccp register(me, k)
        for (k = 0; k < 2; k++) {
            solve(me, 20 + k);
#pragma omp barrier
        }
    }
    for (int i = 0; i < 4; i++)
        printf("%ld\n", out[i]);
#pragma cccp shutdown
    return 0;
}
