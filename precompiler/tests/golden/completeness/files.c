/* Streams and descriptors that are open at a checkpoint. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct log {
    int lines;
    int fd;
    FILE *stream;
};

static int journal;

static int open_it(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    return fd;
}

int main(void)
{
#pragma cccp init
    int step, direct = open("a", O_WRONLY), wrapped = open_it("b"), number = 5, kept = open("c", O_RDONLY);
    struct log log = {0, -1, fopen("d", "w")};
    FILE *stream = fopen("e", "w");
    char byte = 0;

    log.fd = open_it("f");
    journal = direct;
    if (step = getpid() % 3, step > 1)
        number++;
#pragma cccp register(step, file(kept))
    for (step = 0; step < 10; step++) {
        /* must: direct missing, wrapped missing, number missing, log.fd missing, log.stream missing, stream missing */
        /* must: journal missing; should: kept held, step held */
#pragma cccp checkpoint
        if (read(kept, &byte, 1) != 1 || write(direct, &byte, 1) != 1 || write(wrapped, &byte, 1) != 1)
            return 1;
        if (write(log.fd, &byte, 1) != 1 || write(journal, &byte, 1) != 1)
            return 1;
        log.lines++;
        fprintf(log.stream, "%d %d\n", number, log.lines);
        fprintf(stream, "%d\n", step);
    }
#pragma cccp shutdown
    return 0;
}
