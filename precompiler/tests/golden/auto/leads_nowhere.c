/* A `void *` of which nobody knows what it leads to: the message is about the user's variable, its member and the reason, not
 * about a line that the user never saw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    int n;
    void *buffer;
};

int main(int argc, char **argv)
{
    /* refused: auto mode cannot restore all that `work` points to | member `buffer` of `struct work` cannot be followed: it is unknown what the memory holds | give the pointer the type of what it points to */
    struct work *work = malloc(sizeof *work);
    char line[64];
    long sum = 0;
    work->n = argc > 1 ? atoi(argv[1]) : 100;
    work->buffer = malloc(work->n);
    memset(work->buffer, 1, work->n);
    for (int i = 0; i < 100000; i++) {
        memset(line, i % 100, sizeof line);
        memcpy(work->buffer, line, sizeof line);
        for (int k = 0; k < 64; k++)
            sum += line[k] * k;
    }
    memcpy(line, work->buffer, sizeof line);
    printf("%ld %d\n", sum, line[3]);
    return 0;
}
