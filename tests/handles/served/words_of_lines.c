/* What `strtok` goes on with is begun anew wherever the text was set or used just before, though it is NULL at other times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name;

static double first(char *text, FILE *in, int length)
{
    double sum = 0;
    while (fgets(text, length, in) != NULL) {
        char *word = strtok(text, " ");
        while (word != NULL) {
            sum += atof(word);
            word = strtok(NULL, " ");
        }
    }
    return sum;
}

int main(void)
{
    double sum = 0;
    char *line = NULL, *copy = NULL;
    for (int i = 0; i < 16; i++) {
        FILE *in = tmpfile();
        fprintf(in, "%d 1.5\n2 %d\n", i, i);
        rewind(in);
        if (line == NULL)
            line = calloc(80, 1);
        copy = NULL;
        sum += first(line, in, 80);
        copy = line + 1;
        strcpy(copy, "3 4");
        sum += atof(strtok(copy, " "));
        copy = NULL;
        fclose(in);
        if (i % 4 == 3) {
            free(line);
            line = NULL;
        }
        name = NULL;
        if (line != NULL) {
            name = line;
            if (name[0] != '\0' && strchr(name, ',') == NULL) {
                char *word = strtok(name, " ");
                sum += word ? atof(word) : 0;
            }
        }
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
    }
    printf("%.17g\n", sum);
    return 0;
}
