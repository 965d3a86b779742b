/* Descriptors: a variable, a member, an array with gaps; one that a stream belongs to; one that is read. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct log {
    int lines;
    int fd;
};

static int say(int fd, const char *text)
{
    return write(fd, text, strlen(text)) < 0;
}

int main(void)
{
#pragma cccp init
    int step, sum = 0, failed = 0;
    int log = open("log.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("input.txt", O_RDONLY), row[4] = {-1, -1, -1, -1}, of_stream;
    struct log member = {0, open("member.txt", O_WRONLY | O_CREAT | O_APPEND, 0666)};
    FILE *stream = fopen("stream.txt", "w");

    row[1] = open("row-1.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    row[3] = fcntl(open("row-3.txt", O_RDWR | O_CREAT | O_TRUNC, 0666), F_DUPFD, 77);
    if (stream == NULL || log < 0 || in < 0 || row[3] != 77)
        return 1;
    of_stream = fileno(stream);
#pragma cccp register(step, sum, failed, file(log), file(in), file(row), stream, file(of_stream))
#pragma cccp register(member.lines, file(member.fd))
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        char text[60], byte;
        snprintf(text, sizeof text, "step %d\n", step);
        failed += say(log, text) + say(member.fd, text) + say(row[1], text) + say(row[3], text);
        for (int i = 0; i < 4; i++)
            if (read(in, &byte, 1) == 1)
                sum += byte;
        snprintf(text, sizeof text, "sum %d\n", sum);
        failed += say(log, text);
        if (lseek(row[1], 0, SEEK_SET) == 0 && read(row[1], &byte, 1) == 1)
            sum += byte;
        lseek(row[1], 0, SEEK_END);
        fprintf(stream, "through the stream %d\n", step);
        fflush(stream);
        failed += say(of_stream, "and past it\n");
        member.lines++;
    }
    printf("%d %d %d %d %d\n", sum, failed, member.lines, row[3], fileno(stream) == of_stream);
#pragma cccp shutdown
    fclose(stream);
    close(log);
    return 0;
}
