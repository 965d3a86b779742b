/* Files that are open and have no name any more: tmpfile, unlink behind fopen and behind mkstemp, read and written anew in turns. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
struct scratch { FILE *stream; int raw, twin, reader; char name[40]; };
static void begin(struct scratch *s)
{
    s->stream = fopen("stream.tmp", "w+");
    if (s->stream == NULL) exit(2);
    unlink("stream.tmp");
    strcpy(s->name, "/tmp/cccp-relative-XXXXXX");
    s->raw = mkstemp(s->name);
    s->reader = open(s->name, O_RDONLY);
    unlink(s->name);
    s->twin = dup(s->raw);
}
int main(void)
{
    struct scratch s;
    FILE *anonymous = tmpfile();
    int named = open("named.txt", O_RDWR | O_CREAT | O_TRUNC, 0600), other = dup(named);
    int plain = open("plain.tmp", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    FILE *late = fopen("late.tmp", "w+");
    unsigned long sum = 0;
    long line;
    begin(&s);
    unlink("plain.tmp");
    FILE *wrapped = fdopen(plain, "a+");
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 200; k++) sum = sum * 31 + k;
        /* A scratch file that is written anew in each step, longer and shorter. */
        rewind(anonymous);
        for (int k = 0; k < 5 + i % 4; k++) fprintf(anonymous, "%d\n", i * 100 + k);
        fflush(anonymous);
        if (ftruncate(fileno(anonymous), ftell(anonymous))) return 1;
        rewind(anonymous);
        while (fscanf(anonymous, "%ld", &line) == 1) sum = sum * 17 + line;
        /* One that is read in the step after. */
        if (fseek(s.stream, 0, SEEK_SET)) return 1;
        while (fscanf(s.stream, "%ld", &line) == 1) sum = sum * 13 + line;
        fseek(s.stream, 0, SEEK_END);
        fprintf(s.stream, "%d\n", i * i);
        /* Two descriptors of one open file, and another one that reads. */
        dprintf(s.raw, "raw %d\n", i);
        dprintf(s.twin, "twin %d\n", i);
        char text[6] = "";
        if (read(s.reader, text, 5) == 5) for (char *p = text; *p; p++) sum = sum * 7 + *p;
        dprintf(named, "one %d\n", i);
        dprintf(other, "other %d\n", i);
        fprintf(wrapped, "%lx\n", sum);
        if (i < 10) fprintf(late, "late %d\n", i);
        if (i == 5) {
            /* The name is gone, and belongs to another file from then on. */
            unlink("late.tmp");
            FILE *f = fopen("late.tmp", "w");
            fputs("another one\n", f);
            fclose(f);
        }
    }
    struct stat known;
    fflush(wrapped);
    fflush(late);
    rewind(late);
    for (int c; (c = fgetc(late)) != EOF; ) sum = sum * 5 + c;
    rewind(wrapped);
    for (int c; (c = fgetc(wrapped)) != EOF; ) sum = sum * 3 + c;
    if (fstat(s.raw, &known)) return 1;
    printf("%lu %ld %ld %ld\n", sum, (long)known.st_size, (long)lseek(s.twin, 0, SEEK_CUR), (long)lseek(other, 0, SEEK_CUR));
    remove("late.tmp");
    return 0;
}
