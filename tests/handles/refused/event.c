/* refused: cannot restore `watch.fd` | what `eventfd` gave */
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef int event_t;
struct watch { event_t fd; long seen; };

static event_t made(void)
{
    event_t fd = eventfd(0, EFD_NONBLOCK);
    return fd;
}

int main(void)
{
    struct watch watch = { made(), 0 };
    for (int i = 0; i < 12; i++) {
        uint64_t add = i + 1, got = 0;
        if (write(watch.fd, &add, sizeof add) < 0)
            return 1;
        if (i % 3 == 2 && read(watch.fd, &got, sizeof got) < 0)
            return 1;
        watch.seen = watch.seen * 2 + got;
    }
    printf("%ld\n", watch.seen);
    return 0;
}
