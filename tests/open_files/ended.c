/* Asks its streams, before it reads them, whether they have ended or failed, as many loops over input do. */
#include <stdio.h>

int main(void)
{
#pragma cccp init
    int step, value;
    unsigned long sum = 0;
    FILE *in = fopen("input.txt", "r"), *keys = stdin, *log = fopen("log.txt", "w");

    if (in == NULL || log == NULL)
        return 1;
#pragma cccp register(step, sum, in, keys, log)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        sum = sum * 16 + (unsigned long)(!feof(in) * 8 + !ferror(in) * 4 + !feof(keys) * 2 + !ferror(log));
        if (step % 5 == 4)
            rewind(in);
        if (!feof(in)) {
            while ((value = getc(in)) != EOF)
                sum = sum * 31 + (unsigned long)value;
        } else {
            sum = sum * 31 + 7;
        }
        if (step == 3)
            while (getc(keys) != EOF)
                ;
        if (step == 2)
            getc(log);
        if (step == 5)
            clearerr(log);
        fprintf(log, "%lu\n", sum);
    }
#pragma cccp shutdown
    printf("%lu\n", sum);
    return 0;
}
