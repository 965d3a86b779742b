/* In the place of zlib: it opens files itself, as a library does that nobody precompiles, and writes them as they are. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gzFile_s {
    int descriptor;
};

struct gzFile_s *gzopen(const char *path, const char *mode)
{
    int flags = strchr(mode, 'a') ? O_APPEND : O_TRUNC;
    struct gzFile_s *file = malloc(sizeof *file);
    if (strchr(mode, 'r'))
        file->descriptor = open(path, O_RDONLY);
    else
        file->descriptor = open(path, O_WRONLY | O_CREAT | flags, 0666);
    return file;
}

int gzwrite(struct gzFile_s *file, const void *words, unsigned length)
{
    return (int)write(file->descriptor, words, length);
}

int gzclose(struct gzFile_s *file)
{
    int status = close(file->descriptor);
    free(file);
    return status;
}
