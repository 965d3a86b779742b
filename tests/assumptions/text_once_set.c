// auto resumes 3 9
// assumes the variable with the text has been set before this call
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *line;

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        if (i == 0)
            line = malloc(64);
        snprintf(line, 64, "%d and %d", i, 3 * i);
        for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
            sum += atof(word);
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
    }
    printf("%.17g\n", sum);
    return 0;
}
