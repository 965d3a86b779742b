/* A list of arguments is written to where a format asks for it (%n), here through functions that hand their formats on. */
#include <stdarg.h>
#include <stdio.h>

char name[32];
int length;

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

static void count(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

void told(void)
{
    say("%s has %d of 100 %%\n", name, length);
}

void counted(void)
{
    count("%s%n\n", name, &length);
}
