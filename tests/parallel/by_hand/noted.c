/* Regions that are entered again and again, some with a checkpoint and most without: what their threads register ends with them, but
 * for a static, and comes before what functions that they call register. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static double total[8];

static double deeper(double value, int me)
{
    static double kept[8];
    double own = value * 0.5;
#pragma cccp register(own, me, kept)
    kept[me] += own;
#pragma cccp checkpoint if (me >= 0)
    return own + kept[me] * 0.25;
}

static void step(long i, int is_deep)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num(), often;
        double y = me + i, v[3] = {y, y * 2, y * 3}, z = 0;
#pragma cccp register(me, y, z, v)
        for (often = 0; often < (is_deep ? 50 : 3); often++) {
            z += y / (often + 1);
#pragma cccp register(often, z)
        }
        if (is_deep)
            z += deeper(z, me);
#pragma omp barrier
        if (i % 3 == 0) {
#pragma cccp register(v)
#pragma cccp checkpoint
            v[1] += 1;
        }
        total[me] += z + v[0] + v[1] * v[2];
    }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 40, i;
#pragma cccp init
#pragma cccp register(i, n, total)
    for (i = 0; i < n; i++)
        step(i, argc == 1 && i % 4 == 1);
#pragma cccp shutdown
    double sum = 0;
    for (i = 0; i < 8; i++)
        sum = sum * 1.5 + total[i];
    printf("%.17g\n", sum);
    return 0;
}
