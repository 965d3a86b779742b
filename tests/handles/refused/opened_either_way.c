/* Each of two calls may be left out, but not both: no run comes to the checkpoint without the handle (S16).
 * refused: auto mode cannot restore `fp` | auto mode cannot restore `s->f` */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int begin, end;
    char *bytes;
    DIR *f;
} names;

static names *start(DIR *f)
{
    names *s = calloc(1, sizeof *s);
    s->f = f;
    s->bytes = malloc(300);
    return s;
}

int main(int argc, char **argv)
{
    DIR *fp = argc > 1 ? opendir(argv[1]) : fdopendir(open(".", O_RDONLY));
    names *s = start(fp);
    long sum = 0;
    for (;;) {
        struct dirent *one = readdir(s->f);
        if (!one)
            break;
        strcpy(s->bytes, one->d_name);
        for (int i = 0; s->bytes[i]; i++)
            sum += s->bytes[i] * i;
    }
    printf("%ld\n", sum);
    closedir(fp);
    return 0;
}
