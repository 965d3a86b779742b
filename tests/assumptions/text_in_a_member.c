// auto refuses CCCP403 auto mode cannot restore what `strtok` remembers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    char *begin;
};

int main(void)
{
    double sum = 0;
    char all[64] = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
    struct reader *reader = malloc(sizeof *reader);
    reader->begin = all;
    for (int i = 0; i < 12; i++) {
        /* In the first pass it begins, later it goes on. */
        char *word = strtok(reader->begin, " ");
        reader->begin = NULL;
        sum += atof(word);
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
    }
    printf("%.17g\n", sum);
    return 0;
}
