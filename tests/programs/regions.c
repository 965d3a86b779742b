/* What a checkpoint in a parallel region costs, each figure against another one of the same run:
 *
 *     regions [MIB]
 *
 * (with -DELEMENT=char of bytes, else of doubles, which are turned into another order of bytes on the way):
 * the entry of a region that has a checkpoint against that of one that has none; how long a thread stands still at a checkpoint
 * against the time in which the same threads copy the bytes. Medians. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ELEMENT
#define ELEMENT double
#endif
#define ENTRIES 2000
#define TIMES 7
/* Seconds of work between two checkpoints: the file of the first is written by then, as it would be in a program. */
#define WORK 0.5

static int compare(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static double median(double *values, int count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    size_t bytes = (argc > 1 ? strtoul(argv[1], 0, 10) : 64) << 20;
    static double plain[ENTRIES], marked[ENTRIES], still[TIMES], copied[TIMES];
    ELEMENT *from;
    char *to;
    long sum = 0;
    int i;
#pragma cccp init
    from = malloc(bytes);
    to = malloc(bytes);
    if (!from || !to)
        return 1;
    memset(from, 1, bytes);
    memset(to, 2, bytes);
#pragma cccp register(from[bytes / sizeof *from], to, bytes, sum, i, plain, marked, still, copied)
    for (i = 0; i < ENTRIES; i++) {
        double begun = omp_get_wtime();
#pragma omp parallel reduction(+ : sum)
        sum += i;
        plain[i] = omp_get_wtime() - begun;
        begun = omp_get_wtime();
#pragma omp parallel reduction(+ : sum)
        {
#pragma cccp register(sum)
#pragma cccp checkpoint if(i < 0)
            sum += i;
        }
        marked[i] = omp_get_wtime() - begun;
    }
    for (i = 0; i < TIMES; i++) {
        double begun = omp_get_wtime();
#pragma omp parallel
        {
            size_t threads = omp_get_num_threads(), number = omp_get_thread_num();
            size_t first = bytes / threads * number, last = number + 1 < threads ? bytes / threads * (number + 1) : bytes;
            memcpy(to + first, (char *)from + first, last - first);
        }
        copied[i] = omp_get_wtime() - begun;
        while (omp_get_wtime() - begun < WORK)
            memcpy(to, from, bytes);
#pragma omp parallel
        {
            double came;
#pragma omp barrier
            came = omp_get_wtime();
#pragma cccp checkpoint every(1)
#pragma omp master
            still[i] = omp_get_wtime() - came;
        }
    }
    double entry = median(plain, ENTRIES), with = median(marked, ENTRIES);
    double stands = median(still, TIMES), copies = median(copied, TIMES);
    printf("entry %.0f ns, with a checkpoint %.0f ns more; standing still %.1f ms, copying %.1f ms, ratio %.2f\n", entry * 1e9,
           (with - entry) * 1e9, stands * 1e3, copies * 1e3, stands / copies);
#pragma cccp shutdown
    return sum < 0;
}
