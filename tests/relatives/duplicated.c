/* One open file by several numbers: of fcntl, of dup in a struct, and of a stream on one of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct numbers { int second, third; };
static void another(int from, struct numbers *to) { to->second = fcntl(from, F_DUPFD, 40); to->third = dup(from); }
int main(void)
{
    struct numbers more;
    int first = open("lines.txt", O_RDWR | O_CREAT | O_TRUNC, 0600), closing = fcntl(first, F_DUPFD_CLOEXEC, 50);
    another(first, &more);
    FILE *stream = fdopen(dup(first), "w");
    long sum = 0;
    if (stream == NULL || closing < 50)
        return 1;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 500; k++) sum = sum * 3 + k % 7;
        if (dprintf(first, "first %d\n", i) < 0 || dprintf(more.second, "second %d\n", i) < 0 || dprintf(more.third, "third %d\n", i) < 0)
            return 2;
        fprintf(stream, "stream %d\n", i);
        fflush(stream);
        if (dprintf(closing, "closing %d\n", i) < 0)
            return 3;
        sum = sum * 5 + lseek(more.second, 0, SEEK_CUR) + 7 * more.second + (fcntl(closing, F_GETFD) & FD_CLOEXEC);
    }
    printf("%ld\n", sum);
    return 0;
}
