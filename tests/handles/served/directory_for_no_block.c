/* What is executed on restart names no file: it needs no directory, which the library puts back itself. So it matters to no restart that
   the directory is chosen by what has changed since, and that a failure would open a file. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *messages;
static int is_open, stopped;
static int number = 7;

static void stop(int which)
{
    stopped = which;
}

static void say(const char *text, int value)
{
    if (!is_open) {
        is_open = 1;
        messages = fopen("messages", "w");
    }
    fprintf(messages != NULL ? messages : stderr, "%s %d\n", text, value);
}

static void go_to_own_directory(void)
{
    char own[40];
    sprintf(own, "part%d", number);
    mkdir(own, 0775);
    if (chdir(own)) {
        say("no directory", number);
        number = 0;
    }
}

int main(void)
{
    double value = 1;
    signal(SIGTERM, stop);
    go_to_own_directory();
    for (int step = 0; step < 30 && !stopped; step++) {
        for (int i = 0; i < 100; i++) {
            value = value * 0.99 + i;
        }
        if (step % 10 == 9) {
            say("step", step);
            number += step;
        }
    }
    if (messages != NULL) {
        fclose(messages);
    }
    printf("%.17g %d\n", value, number);
    return 0;
}
