/* Files that zlib reads across checkpoints, one of them without a name, one from a descriptor, two of them in an array and in memory:
 * all are read on where they were (S16, S34). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct {
    int begin, end;
    unsigned char *bytes;
    gzFile file;
} stream;

static gzFile begin(const char *path, const char *mode)
{
    gzFile file = strcmp(path, "-") ? gzopen(path, mode) : gzdopen(open("numbers", O_RDONLY), mode);
    if (!file) {
        fprintf(stderr, "no %s\n", path);
        exit(1);
    }
    return file;
}

static void write_input(const char *path, const char *mode, int lines)
{
    gzFile out = begin(path, mode);
    for (int i = 0; i < lines; i++)
        gzprintf(out, "%d %d\n", i * 7919 % 104729, i);
    gzclose(out);
}

static stream *start(gzFile file)
{
    stream *s = calloc(1, sizeof *s);
    s->file = file;
    s->bytes = malloc(48);
    return s;
}

static int next(stream *s)
{
    if (s->begin == s->end) {
        s->begin = 0;
        s->end = gzread(s->file, s->bytes, 48);
    }
    return s->end > s->begin ? s->bytes[s->begin++] : -1;
}

int main(void)
{
    char line[64];
    gzFile all[2];
    long sum = 0, mixed = 0;

    write_input("lines.gz", "wb", 300);
    write_input("letters.gz", "wb1", 20);
    write_input("nameless.gz", "wb", 500);
    write_input("numbers", "wbT", 400);
    all[0] = begin("lines.gz", "rb");
    all[1] = begin("letters.gz", "r");
    stream *nameless = start(begin("nameless.gz", "rb"));
    stream *plain = start(begin("-", "rb"));
    unlink("nameless.gz");
    while (!gzeof(all[0])) {
        if (gzgets(all[0], line, sizeof line))
            sum += strtol(line, NULL, 10);
        int letter = gzgetc(all[1]);
        if (letter < 0)
            gzrewind(all[1]);
        for (int i = 0; i < 9; i++)
            mixed = mixed * 31 + letter + next(nameless) - 3 * next(plain);
    }
    printf("%ld %ld %ld %ld\n", sum, mixed, (long)gztell(all[1]), (long)gztell(plain->file));
    gzclose(all[0]);
    gzclose(all[1]);
    gzclose(nameless->file);
    gzclose(plain->file);
    return 0;
}
