/* Loops that threads share inside of regions, with copies and sums of their own, also in functions that a region calls. */
#include <omp.h>
#include <stdio.h>

static unsigned field[64], other[64];
static int most = -5;

static void orphaned(int step)
{
    static unsigned scale = 2u;
    int i;
#pragma omp for firstprivate(scale) nowait
    for (i = 0; i < 40; i++) {
#pragma cccp register(i, scale)
#pragma cccp checkpoint
        scale += 1u;
        field[i] += (unsigned)step;
    }
#pragma omp for schedule(static, 5)
    for (i = 0; i < 64; i++) {
        unsigned own = (unsigned)(i * step);
#pragma cccp register(i, own)
#pragma cccp checkpoint
        other[i] += own;
    }
}

int main(void)
{
    unsigned sum = 1u, product = 1u, bits = ~0u, temporary = 9u, last[3] = {1u, 2u, 3u};
    int all = 1, any = 0, least = 1000, i;
#pragma cccp init
#pragma cccp register(field, other, most, sum, product, bits, all, any, least, last, temporary)
#pragma omp parallel num_threads(3)
    {
        int step;
        for (step = 0; step < 4; step++) {
#pragma cccp register(step)
#pragma omp for reduction(+ : sum) reduction(* : product) reduction(& : bits) private(temporary)
            for (i = 1; i < 30; i++) {
                temporary = (unsigned)i + 2u * (unsigned)step;
#pragma cccp register(i, temporary, sum, product, bits)
#pragma cccp checkpoint
                sum += temporary;
                product *= 2u * temporary + 1u;
                bits &= ~(1u << (temporary % 31u));
            }
#pragma omp for reduction(max : most) reduction(min : least) reduction(&& : all) reduction(|| : any) private(last)
            for (i = 0; i < 33; i += 2) {
                last[0] = (unsigned)i;
#pragma cccp register(i, most, least, all, any, last)
#pragma cccp checkpoint
                if (i * step % 13 > most)
                    most = i * step % 13;
                if ((int)last[0] - step < least)
                    least = i - step;
                all = all && i < 100;
                any = any || i == 31;
            }
#pragma omp for schedule(dynamic, 2)
            for (i = 0; i < 64; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
                field[i] += (unsigned)i;
            }
            if (step % 2 == 0)
#pragma omp for schedule(guided) nowait
                for (int k = 63; k >= 0; k--) {
#pragma cccp register(k)
#pragma cccp checkpoint
                    other[k] += field[k];
                }
#pragma cccp client(orphaned)
            orphaned(step);
        }
    }
    unsigned hash = 0;
    for (i = 0; i < 64; i++)
        hash = hash * 31u + field[i] + 7u * other[i];
    printf("%u %u %u %u %d %d %d %d\n", hash, sum, product, bits, most, least, all, any);
#pragma cccp shutdown
    return 0;
}
