/* What library functions read and fill, by the catalogue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int order(const void *a, const void *b);
static int descending;

struct header { int size, kind; };

int main(int argc, char **argv)
{
    char line[80], name[20] = "x", copy[20];
    double values[4] = {1, 2, 3, 4};
    struct header header = {argc, 2}, kept = {argc, 3};
    int count = 3, number = 1, scanned = 2;
    char *end;
    time_t now = argc;
    descending = argc;
    strcpy(line, name);
    memset(copy, 0, sizeof copy);
    end = line;
    /* must: name live, values live, kept live, number live, scanned live, descending live */
    /* should: header dead, copy dead, count dead, end dead, now dead, line live */
#pragma cccp checkpoint
    count = 4;
    memcpy(&header, &kept, sizeof header);
    memcpy(copy, name, sizeof copy);
    time(&now);
    qsort(values, count, sizeof *values, order);
    printf("%s %d %d %d %ld\n", copy, header.size, header.kind, number, (long)now);
    if (sscanf(argv[0], "%d", &scanned) == 1)
        puts("yes");
    number = (int)strtol(line, &end, 10);
    printf("%d %d %s %g\n", scanned, number, end, values[0]);
    return 0;
}

static int order(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return descending ? (*x < *y) - (*x > *y) : (*x > *y) - (*x < *y);
}
