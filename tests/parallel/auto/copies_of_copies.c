/* A region has copies of the copies that the region around it has: they begin with those, and sums end in those. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long out[4][2];

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 60;
    long value = 3, sum = 5, last = 0, scale = 2;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) firstprivate(value, scale) reduction(+ : sum) private(last)
    {
        int me = omp_get_thread_num();
        last = me;
        scale += me;
        for (int k = 0; k < steps; k++) {
            value = value * 3 % 1009 + me;
            sum += value;
#pragma omp barrier
#pragma omp parallel num_threads(2) firstprivate(value, last, scale) reduction(+ : sum)
            {
                for (int i = 0; i < 100; i++)
                    value = (value * scale + last + omp_get_thread_num()) % 1013;
                sum += value;
                out[me][omp_get_thread_num()] += value;
            }
            last += value % 2;
#pragma omp barrier
        }
        out[me][0] += sum % 7 + last;
    }
    printf("%ld %ld %ld %ld %ld %ld\n", value, sum, out[0][0], out[0][1], out[1][0], out[1][1]);
    return 0;
}
