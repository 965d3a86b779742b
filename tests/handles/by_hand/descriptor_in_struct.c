/* refused: `s.fd` holds the descriptor of a file that is not open after a restart | it comes from here | add `#pragma cccp register(file(s.fd))` */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
    long sum;
    int fd, unread;
} state;

static void begin(state *s, const char *name)
{
    s->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    s->unread = open("b.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

int main(void)
{
    state s = {0, -1, -1};
    int i;
#pragma cccp init
    begin(&s, "a.txt");
    close(s.unread);
#pragma cccp register(i, s)
#ifdef CURED
#pragma cccp register(file(s.fd))
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        s.sum = s.sum * 3 + i;
        dprintf(s.fd, "%ld\n", s.sum);
    }
    printf("%ld\n", s.sum);
#pragma cccp shutdown
    return 0;
}
