/* A stream into memory that is closed before the next checkpoint keeps nobody from serving the program. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(double sum)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return;
    fprintf(out, "%g\n", sum);
    fclose(out);
    fputs(text, stdout);
    free(text);
}

int main(void)
{
    double sum = 0;

    for (int i = 0; i < 1000; i++) { /* before: register(sum) checkpoint */
        for (int k = 1; k < 1000; k++)
            sum += sin(i) / k;
        tell(sum);
    }
    return 0;
}
