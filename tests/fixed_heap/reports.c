/* A table of reports: each has a stream beside the name of its file, which lies in memory of many types. What a stream leads to is the C
   library's, so nothing has to be followed: the table is registered as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
    FILE *stream;
    char *name;
    unsigned lines;
};

struct report reports[2];
static char *pool;
static size_t used;

/* Memory for a text or for the head of a list. */
static void *carve(size_t size)
{
    if (!pool)
        pool = malloc(4096);
    void *piece = pool + used;
    used += (size + 15) / 16 * 16;
    return piece;
}

struct seen {
    struct seen *before;
    unsigned value;
};

static void open_report(struct report *report, const char *name)
{
    report->name = carve(strlen(name) + 1);
    strcpy(report->name, name);
    report->stream = fopen(name, "w+");
}

/* What stands in a report, as one number. */
static unsigned long sum_of(struct report *report)
{
    unsigned long sum = 0;
    rewind(report->stream);
    for (int letter = fgetc(report->stream); letter != EOF; letter = fgetc(report->stream))
        sum = 31 * sum + (unsigned long)letter;
    fclose(report->stream);
    return sum;
}

int main(void)
{
    struct seen *last = NULL;
    unsigned value = 1;
    open_report(&reports[0], "even");
    open_report(&reports[1], "odd");
    for (int step = 0; step < 40; step++) {
        for (int round = 0; round < 1000; round++)
            value = 1664525u * value + 1013904223u;
        struct seen *now = carve(sizeof *now);
        now->before = last;
        now->value = value;
        last = now;
        struct report *report = &reports[step % 2];
        fprintf(report->stream, "%s %u\n", report->name, value);
        report->lines++;
    }
    unsigned all = 0;
    for (struct seen *one = last; one; one = one->before)
        all = 7 * all + one->value;
    printf("%u %u %lu %u %lu\n", all, reports[0].lines, sum_of(&reports[0]), reports[1].lines, sum_of(&reports[1]));
    return 0;
}
