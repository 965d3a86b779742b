/* Streams of the C library in memory of which no type tells what it holds, and standard streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct log {
    union {
        FILE *stream;
        long number;
    } to;
    long lines;
};

struct place {
    void *where;
    FILE *echo;
    struct log *log;
};

int main(void)
{
    char *bytes = calloc(1, 64);
    struct place *place = calloc(2, sizeof *place);
    struct log *log = calloc(1, sizeof *log);
    FILE *extra = fopen("extra.txt", "w");
    int step;
    log->to.stream = fopen("log.txt", "w");
    place[1].where = log->to.stream;
    place[1].echo = stdout;
    place[1].log = log;
    memcpy(bytes + 8, &extra, sizeof extra);
    for (step = 0; step < 20; step++) {
        FILE *again;
        memcpy(&again, bytes + 8, sizeof again);
        fprintf(place[1].log->to.stream, "%d\n", step);
        fprintf(place[1].where, "again\n");
        fprintf(place[1].echo, "%d ", step);
        fprintf(again, "%d\n", step * step);
        log->lines += 2;
    }
    printf("%ld\n", log->lines);
    fclose(log->to.stream);
    fclose(extra);
    return 0;
}
