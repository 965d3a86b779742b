/* A program without a shutdown, which ends in the way that END says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void finish(const char *end, int status)
{
    if (strcmp(end, "exit") == 0)
        exit(status);
    if (strcmp(end, "_exit") == 0) {
        fflush(stdout);
        _exit(status);
    }
}

int main(void)
{
#pragma cccp init
    long sum = 0;
    int step;
    const char *end = getenv("END");
#pragma cccp register(sum, step)
    for (step = 0; step < 8; step++) {
#pragma cccp checkpoint
        sum = 3 * sum + step;
    }
    printf("%ld\n", sum);
    end = getenv("END");
    if (end == NULL)
        return 0;
    if (strcmp(end, "fail") == 0)
        return 3;
    finish(end, 0);
    return 4;
}
