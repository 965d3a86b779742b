/* What unknown_texts.c calls. */
#include <stdarg.h>
#include <stdio.h>

int report(const char *what, const double *values, int n);
int say(int level, const char *format, ...);
int query(const char *text, int (*row)(void *, const char *), void *data);

int report(const char *what, const double *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return fprintf(stderr, "%s %g\n", what, sum);
}

int say(int level, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = level > 1 ? vfprintf(stderr, format, list) : 0;
    va_end(list);
    return n;
}

int query(const char *text, int (*row)(void *, const char *), void *data)
{
    return row(data, text);
}
