/* Opens its files before init, in every way: by hand, in a helper of another file, through a macro, in a struct, by descriptor. What is
 * written there before init is read back, renamed and removed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef FILE *stream;
#define OPENED(name) fopen(name ".txt", "w")

struct outputs {
    stream table;
    int raw;
    FILE *both;
};

FILE *append_to(const char *name);
int lines_of(const char *name);

static struct outputs open_all(void)
{
    struct outputs all;
    all.table = OPENED("table");
    all.raw = open("raw.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    all.both = fopen("both.txt", "w+");
    return all;
}

int main(int argc, char **argv)
{
    long i;
    int before;
    char line[64];
    FILE *part = fopen("part.txt", "w");
    FILE *aside = fopen("aside.txt", "w");
    FILE *log, *in, *closed;
    struct outputs out = open_all();

    if (part == NULL || aside == NULL || out.table == NULL || out.raw < 0 || out.both == NULL)
        return 1;
    fprintf(part, "made before init\nline two\n");
    fclose(part);
    before = lines_of("part.txt");
    if (rename("part.txt", "whole.txt") != 0)
        return 2;
    fclose(aside);
    if (unlink("aside.txt") != 0 || fopen("aside.txt", "r") != NULL)
        return 3;
    fprintf(out.table, "a table with a head of %d\n", before);
    fflush(out.table);
    fprintf(out.both, "0 0\n");
    log = append_to("log.txt");
    in = fopen("whole.txt", "r");
    if (log == NULL || in == NULL || fgets(line, sizeof line, in) == NULL)
        return 4;
    closed = fopen("closed.txt", "w");
#pragma cccp init
#pragma cccp register(i, before)
    fprintf(closed, "%d lines, then %s", before, line);
    fclose(closed);
    for (i = 0; i < 20; i++) {
#pragma cccp checkpoint
        fprintf(out.table, "row %ld\n", i);
        fprintf(log, "log %ld\n", i);
        snprintf(line, sizeof line, "raw %ld\n", i);
        if (write(out.raw, line, strlen(line)) != (ssize_t)strlen(line))
            return 5;
        /* The last pair is read back. */
        long a = -1, b = -1;
        fseek(out.both, -4, SEEK_END);
        if (fscanf(out.both, "%ld %ld", &a, &b) != 2)
            return 6;
        fseek(out.both, 0, SEEK_END);
        fprintf(out.both, "%ld %ld\n", b, (a + b + 1) % 10);
        if (i == 10 && fgets(line, sizeof line, in) != NULL)
            fprintf(out.table, "second: %s", line);
    }
#pragma cccp shutdown
    fclose(out.table);
    fclose(out.both);
    fclose(log);
    close(out.raw);
    (void)argc;
    (void)argv;
    return 0;
}
