/* Files of another file of the program. */
#include <stdio.h>

FILE *append_to(const char *name)
{
    FILE *log = fopen(name, "a");
    if (log != NULL)
        fprintf(log, "a start\n");
    return log;
}

int lines_of(const char *name)
{
    FILE *in = fopen(name, "r");
    int lines = 0, c;
    while (in != NULL && (c = getc(in)) != EOF)
        lines += c == '\n';
    if (in != NULL)
        fclose(in);
    return lines;
}
