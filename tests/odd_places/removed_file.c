/* A file whose name is gone while its descriptor is used, in a struct.
   restarts throughout */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct scratch { int fd; long length; };

static void begin(struct scratch *scratch)
{
    char name[] = "/tmp/scratch-XXXXXX";
    scratch->fd = mkstemp(name);
    scratch->length = 0;
    unlink(name);
}

int main(void)
{
    struct scratch scratch;
    int i;
#pragma cccp init
    begin(&scratch);
#pragma cccp register(i, scratch, file(scratch.fd))
    for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
        scratch.length += write(scratch.fd, "line\n", 5);
    }
    printf("%ld %ld\n", scratch.length, (long)lseek(scratch.fd, 0, SEEK_END));
#pragma cccp shutdown
    return 0;
}
