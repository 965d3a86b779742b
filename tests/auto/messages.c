/* What `strerror` gave back is handed on among variable arguments, and gone when the message has been written. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static int level = 1;
static double state[64];
static void say(const char *format, ...)
{
    va_list all;
    va_start(all, format);
    if (level > 0) vprintf(format, all);
    va_end(all);
}
int main(int argc, char **argv)
{
    FILE *log = fopen(argc > 1 ? argv[1] : "/dev/null", "w");
    if (!log) { say("cannot open: %s\n", strerror(errno)); return 1; }
    for (int step = 0; step < 200; step++) {
        for (int i = 1; i < 63; i++) state[i] = 0.5 * (state[i - 1] + state[i + 1]) + i * 1e-3;
        if (step > 1000) say("step %d: %s\n", step, strerror(step));
    }
    say("%.17g %s\n", state[5], "in the end");
    if (fclose(log)) say("error closing: %s\n", strerror(errno));
    return 0;
}
