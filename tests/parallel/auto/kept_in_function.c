/* A function that threads call keeps a number for each of them. */
#include <stdio.h>
#include <omp.h>
long out[4];
static void step(int k)
{
    if (k >= 0) {
        static _Thread_local long seen = 3;
        seen += k;
        out[omp_get_thread_num()] += seen;
    }
}
int main(void)
{
#pragma omp parallel num_threads(2)
    {
    int k = 0;
    for (k = 0; k < 30; k++) {
        step(k);
    }
    }
    printf("%ld %ld\n", out[0], out[1]);
    return 0;
}
