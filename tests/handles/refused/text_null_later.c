/* refused: and read after it (line 14), and lies in a library */
/* A text that was used before, but that is NULL from the second pass on: what was used is another one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    double sum = 0;
    char all[64] = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
    char *first = all;
    for (int i = 0; i < 12; i++) {
        sum += strlen(all);
        char *word = strtok(first, " ");
        first = NULL;
        sum += atof(word);
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
    }
    printf("%.17g\n", sum);
    return 0;
}
