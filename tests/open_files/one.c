/* Reads numbers from a file, or from standard input, and writes their sums to another file. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
#pragma cccp init
    int step;
    long sum = 0;
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin, *out = fopen("sums.txt", "w");

    if (in == NULL || out == NULL)
        return 1;
#pragma cccp register(step, sum, in, out)
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        int value;
        if (fscanf(in, "%d", &value) != 1)
            value = -1000;
        sum += value;
        fprintf(out, "%ld\n", sum);
    }
#pragma cccp shutdown
    fclose(out);
    return 0;
}
