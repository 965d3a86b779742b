/* Holds locks of open files: one that no register knows, one of a stream, and some bytes of that.
 * At its end the program asks, as another one would, who has them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int lock_bytes(int file, long first, long count)
{
    struct flock wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.l_type = F_WRLCK;
    wanted.l_whence = SEEK_SET;
    wanted.l_start = first;
    wanted.l_len = count;
    return fcntl(file, F_OFD_SETLK, &wanted);
}

int main(void)
{
#pragma cccp init
    int step, other;
    double sum = 0;
    FILE *out = fopen("locked.txt", "w");

    flock(fileno(fopen("run.lock", "w")), LOCK_EX);
#pragma cccp register(step, sum, out)
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        sum = sum * 1.5 + step;
        fprintf(out, "%g\n", sum);
        fflush(out);
        if (step == 2) {
            flock(fileno(out), LOCK_SH);
            lock_bytes(fileno(out), 10, 10);
        }
    }
#pragma cccp shutdown
    other = open("run.lock", O_RDWR);
    printf("run.lock %d\n", flock(other, LOCK_EX | LOCK_NB));
    other = open("locked.txt", O_RDWR);
    printf("locked.txt %d %d\n", flock(other, LOCK_EX | LOCK_NB), flock(other, LOCK_SH | LOCK_NB));
    printf("bytes %d %d\n", lock_bytes(other, 19, 1), lock_bytes(other, 20, 1));
    return 0;
}
