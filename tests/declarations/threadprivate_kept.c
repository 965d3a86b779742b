/* refused: cannot restore `kept` | each thread has its own | region of its own | array with one element per thread */
#include <stdio.h>

static long kept;
static int table[4];
#pragma omp threadprivate(kept, table)

static long more(long i)
{
    table[i % 4] += 1;
    return table[1];
}

int main(void)
{
    long total = 0;
    for (long i = 0; i < 12; i++) {
        long part = 0;
#pragma omp parallel num_threads(2) reduction(+ : part)
        {
            kept += i;
            part += kept + more(i);
        }
        total += part;
    }
    printf("%ld\n", total);
    return 0;
}
