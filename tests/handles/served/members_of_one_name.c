/* A counter is no descriptor because a member of the same name in another struct holds one. Descriptors in wide and renamed types,
   in allocated memory, from a helper, and copied with their struct. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int channel;
struct output { channel n; };
struct count { int n; };
struct record { unsigned long where; short kind; };
struct log { long lines; channel fd; };

static channel opened(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

int main(void)
{
    struct output out;
    struct count count;
    struct log first = { 0, opened("copied.txt") };
    struct log *copy = malloc(sizeof *copy), *log = malloc(sizeof *log);
    struct record record = { open("record.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644), 3 };
    out.n = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    count.n = 0;
    log->lines = 0;
    log->fd = opened("log.txt");
    memcpy(copy, &first, sizeof first);
    for (int step = 0; step < 12; step++) {
        count.n += 3;
        dprintf(out.n, "%d %d\n", step, count.n);
        dprintf(record.where, "%d %d\n", step, record.kind);
        dprintf(log->fd, "%d %ld\n", step, log->lines++);
        dprintf(copy->fd, "%d %ld\n", step, copy->lines += 2);
    }
    printf("%d %ld %ld\n", count.n, log->lines, copy->lines);
    return 0;
}
