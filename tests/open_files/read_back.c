/* Keeps a value in a file that it writes anew in each step, and reads it back in the next one. */
#include <stdio.h>

static long kept(void)
{
    long value = 0;
    FILE *in = fopen("best.txt", "r");
    if (in != NULL) {
        if (fscanf(in, "%ld", &value) != 1)
            value = -1;
        fclose(in);
    }
    return value;
}

int main(void)
{
    long i;
#pragma cccp init
#pragma cccp register(i)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        long value = kept() + i;
        FILE *out = fopen("best.txt", "w");
        if (out == NULL)
            return 1;
        fprintf(out, "%ld\n", value);
        fclose(out);
    }
#pragma cccp shutdown
    return 0;
}
