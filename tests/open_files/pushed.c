/* Pushes back to its streams what was not read there, one and two bytes, and says where that is. */
#include <stdio.h>

int main(void)
{
#pragma cccp init
    int step;
    unsigned long sum = 0;
    FILE *in = fopen("input.txt", "r"), *keys = stdin;

    if (in == NULL)
        return 1;
#pragma cccp register(step, sum, in, keys)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        sum = sum * 31 + (unsigned long)getc(in);
        sum = sum * 31 + (unsigned long)getc(in);
        sum = sum * 31 + (unsigned long)getc(keys);
        sum = sum * 31 + (unsigned long)ftell(in);
        ungetc('a' + step, in);
        ungetc('A' + step, keys);
        if (step % 3 == 1)
            sum = sum * 31 + (unsigned long)getc(in);
        if (step % 3 == 2)
            ungetc('Z', in);
        if (step % 4 == 3)
            sum = sum * 31 + (unsigned long)getc(keys);
    }
#pragma cccp shutdown
    printf("%lu\n", sum);
    return 0;
}
