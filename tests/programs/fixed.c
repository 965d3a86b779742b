/* What a checkpoint of a fixed heap costs, against memcpy of as many bytes in the same run:
 *
 *     fixed [MIB [BLOCKS]]
 *
 * MIB of numbers in so many blocks, a tenth of which are given back in between. Medians. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMES 7
/* Seconds of work between two checkpoints: the file of the first is written by then, as it would be in a program. */
#define WORK 0.5

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

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
    size_t count = argc > 2 ? strtoul(argv[2], 0, 10) : 1000, each = bytes / count / sizeof(double), k;
    static double still[TIMES], copied[TIMES];
    /* Not allocated: it belongs to no checkpoint. */
    static char to[1 << 20];
    double **blocks;
    int i;
#pragma cccp init heap(fixed)
    blocks = malloc(count * sizeof *blocks);
    for (k = 0; k < count; k++)
        blocks[k] = malloc(each * sizeof(double));
    for (k = 0; k < count; k += 10)
        free(blocks[k]);
    for (k = 0; k < count; k += 10)
        blocks[k] = malloc(each * sizeof(double));
    for (k = 0; k < count * each; k++)
        blocks[k / each][k % each] = 1.0 / (k + 1);
#pragma cccp register(blocks, bytes, count, each, i, still, copied)
    for (i = 0; i < TIMES; i++) {
        double begun = now();
        char *copy = malloc(bytes);
        memset(copy, 1, bytes);
        begun = now();
        for (k = 0; k < count; k++)
            memcpy(copy + k * each * sizeof(double), blocks[k], each * sizeof(double));
        copied[i] = now() - begun;
        to[i] = copy[bytes / 2];
        free(copy);
        while (now() - begun < WORK)
            memcpy(to, blocks[i], each * sizeof(double) < sizeof to ? each * sizeof(double) : sizeof to);
        begun = now();
#pragma cccp checkpoint every(1)
        still[i] = now() - begun;
    }
    double stands = median(still, TIMES), copies = median(copied, TIMES);
    printf("standing still %.1f ms, copying %.1f ms, ratio %.2f\n", stands * 1e3, copies * 1e3, stands / copies);
#pragma cccp shutdown
    return to[0] == 2;
}
