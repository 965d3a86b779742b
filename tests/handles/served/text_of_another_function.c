/* A function that ends the program reads, behind a format, whatever any call of it hands over: the text of a function that has ended
   is none of what a block reads that calls it elsewhere. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give_up(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    exit(1);
}

/* The number behind a key in a file of lines. */
static int number_of(const char *key, int otherwise)
{
    char line[80];
    FILE *settings = fopen("settings", "r");
    while (settings && fgets(line, sizeof line, settings)) {
        if (strchr(line, '=') == NULL) {
            give_up("not a setting: %s\n", line);
        }
        if (strncmp(line, key, strlen(key)) == 0) {
            otherwise = atoi(strchr(line, '=') + 1);
        }
    }
    if (settings) {
        fclose(settings);
    }
    return otherwise;
}

static void go_to(const char *directory)
{
    mkdir(directory, 0775);
    if (chdir(directory)) {
        give_up("no directory %s\n", directory);
    }
}

int main(void)
{
    int count = number_of("count", 40), step = number_of("step", 3);
    go_to("results");
    double *values = calloc(count, sizeof *values);
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < count; i++) {
            values[i] = values[(i + step) % count] * 0.5 + i + round;
        }
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    FILE *out = fopen("sum", "w");
    fprintf(out, "%.17g\n", sum);
    fclose(out);
    printf("%.17g\n", sum);
    return 0;
}
