/* Each of two calls may be left out, but not both: no run comes to the checkpoint without the handle (S16).
 * refused: auto mode cannot restore `fp` | auto mode cannot restore `s->f` */
#include <stdio.h>
#include <stdlib.h>

typedef struct gzFile_s *gzFile;
gzFile gzopen(const char *path, const char *mode);
gzFile gzdopen(int fd, const char *mode);
int gzread(gzFile file, void *buf, unsigned len);
int gzclose(gzFile file);

typedef struct {
    int begin, end;
    unsigned char *bytes;
    gzFile f;
} stream;

static stream *start(gzFile f)
{
    stream *s = calloc(1, sizeof *s);
    s->f = f;
    s->bytes = malloc(100);
    return s;
}

int main(int argc, char **argv)
{
    gzFile fp = argc > 1 ? gzopen(argv[1], "rb") : gzdopen(fileno(stdin), "rb");
    stream *s = start(fp);
    long sum = 0;
    for (;;) {
        int n = gzread(s->f, s->bytes, 100);
        if (n <= 0)
            break;
        for (int i = 0; i < n; i++)
            sum += s->bytes[i] * i;
    }
    printf("%ld\n", sum);
    gzclose(fp);
    return 0;
}
