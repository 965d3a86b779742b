/* The initial thread's `sum` comes back; `scratch` and `row` are set by each thread before it reads them. */
#include <omp.h>
#include <stdio.h>

static long sum, scratch;
static double row[3];
#pragma omp threadprivate(sum, scratch, row)

int main(void)
{
    long total = 0;
    for (long i = 0; i < 12; i++) {
        static long calls;
#pragma omp threadprivate(calls)
        calls += i;
        sum = sum * 3 + i + calls;
        long part = 0;
#pragma omp parallel num_threads(2) reduction(+ : part) copyin(row)
        {
            scratch = i + omp_get_thread_num();
            row[i % 3] += scratch;
            part += scratch + (long)row[1];
        }
        total += part;
    }
    printf("%ld %ld %g\n", sum, total, row[2]);
    return 0;
}
