/* OpenMP: what is private to a thread is not overwritten for the others. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int shared = 1, private = 2, first = 3, last = 4, i, n = argc + 3;
    double sum = 0, data[64] = {0};
    /* must: first live, data live, sum live, n live, private live; should: last live */
#pragma cccp checkpoint
#pragma omp parallel for private(private) firstprivate(first) lastprivate(last) reduction(+ : sum)
    for (i = 0; i < n; i++) {
        private = i;
        last = first + private;
        sum += data[i & 63];
    }
    printf("%d %d %d %d %g\n", shared, private, first, last, sum);
    return 0;
}
