/* A list of arguments goes through a pointer that may also call a function with a number in its place: no number holds a handle. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef int any(void);
typedef int noter(void *to, const char *format, va_list rest);
typedef int adder(void *to, const char *name, long amount);

static char text[100];
static long calls, latest;

static int note(void *to, const char *format, va_list rest)
{
    calls++;
    return vsnprintf(to, sizeof text, format, rest);
}

static int add(void *to, const char *name, long amount)
{
    long *sum = to;
    calls++;
    latest = amount;
    *sum += amount * name[0];
    return 0;
}

static any *table[] = {(any *)note, (any *)add};

static int say(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int length = ((noter *)table[0])(text, format, rest);
    va_end(rest);
    return length;
}

int main(void)
{
    long sum = 0;
    int length = 0;
    for (int pass = 0; pass < 20; pass++) {
        length += say("pass %d with %g", pass, pass * 0.5);
        for (int step = 0; step < 100; step++)
            ((adder *)table[1])(&sum, "name", latest % 1000 + pass + step);
    }
    printf("%ld %ld %ld %d %s\n", sum, calls, latest, length, text);
    return 0;
}
