/* Descriptors and counters in members of one name, in arrays, by macro and helper. */
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
struct out { int fd; struct { int fd; } in; }; typedef struct { int fd; } counter;
#define FD(x) ((x).fd)
static int fd_[2]; static counter c;
static int open_it(const char *n) { return open(n, O_WRONLY | O_CREAT | O_TRUNC, 0644); }
static int opened(struct out *o) { o->fd = open_it("a.txt"); o->in.fd = 7; return o->in.fd; }
int main(void)
{
    struct out o, p; int n = 3;
    opened(&o); p = o; p.in.fd = 3; fd_[0] = open_it("b.txt"); fd_[1] = 4;
    for (int i = 0; i < 20; i++) {
        FD(c) += 3; p.in.fd++; o.in.fd += 2; fd_[1] += n++;
        dprintf(o.fd, "%d %d\n", i, c.fd); dprintf(fd_[0], "%d\n", fd_[1]);
    }
    printf("%d %d %d %d %d\n", c.fd, p.in.fd, o.in.fd, fd_[1], n);
    return 0;
}
