/* A format that is a text without %n stores nothing; one with it, or one that nobody knows, may. */
#include <stdio.h>

void told(FILE *file, const char *name, int *length)
{
    fprintf(file, "%s has %p, of 100 %%\n", name, (void *)length);
}

void counted(FILE *file, const char *name, int *length)
{
    fprintf(file, "%s%n\n", name, length);
}

void chosen(char *to, int is_long, char *name)
{
    snprintf(to, 20, is_long ? "a long %s" : "%s", name);
}

void given(char *to, const char *format, int *length)
{
    sprintf(to, format, length);
}
