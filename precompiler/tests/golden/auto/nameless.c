/* A stream into memory is open at the checkpoint: it belongs to no file, and that is said. */
/* refused: what `open_memstream` opens | use `fopen` with a name */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    double sum = 0;

    if (out == NULL)
        return 1;
    for (int i = 0; i < 1000; i++) {
        for (int k = 1; k < 1000; k++)
            sum += sin(i) / k;
        fprintf(out, "%g\n", sum);
    }
    fclose(out);
    fputs(text, stdout);
    free(text);
    return 0;
}
