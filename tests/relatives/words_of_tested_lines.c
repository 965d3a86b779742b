/* Lines that a condition finds to be there are cut into words, before a loop and in its passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 20 };

static double cells[CELLS];
static char buffer[80];

static char *line(FILE *in)
{
    return fgets(buffer, sizeof buffer, in);
}

static void change(FILE *in)
{
    char *text;
    int n = 0;
    rewind(in);
    while ((text = line(in)) != NULL && text[0] != '#') {
        char *word = strtok(text, " ");
        while (word) {
            cells[n++ % CELLS] += atof(word);
            word = strtok(NULL, " ");
        }
    }
    rewind(in);
    for (text = line(in); text; text = line(in))
        cells[0] += atof(strtok(text, " "));
    rewind(in);
    text = line(in);
    if (!text || n == 0)
        return;
    cells[1] += atof(strtok(text, " "));
}

int main(int argc, char **argv)
{
    int passes = argc > 1 ? atoi(argv[1]) : 200;
    FILE *in = tmpfile();
    fprintf(in, "1 2.5 -3\n4 5\n");
    for (int pass = 0; pass < passes; pass++) {
        if (pass % 5 == 3)
            change(in);
        for (int i = 1; i < CELLS; i++)
            cells[i] = 0.5 * cells[i] + 0.25 * cells[i - 1] + pass * 1e-3;
    }
    printf("%.17g\n", cells[7]);
    return 0;
}
