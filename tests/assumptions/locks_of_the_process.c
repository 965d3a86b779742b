// auto resumes 7
// assumes the lock that `fcntl` takes is not needed from the first checkpoint on
// assumes the lock that `lockf` takes is not needed from the first checkpoint on
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    long sum = 0;
    FILE *log = fopen("log.txt", "w");
    struct flock wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.l_type = F_WRLCK;
    wanted.l_whence = SEEK_SET;
    fcntl(fileno(log), F_SETLK, &wanted);
    lockf(fileno(log), F_LOCK, 10);
    for (int i = 0; i < 20; i++) {
        sum = sum * 3 + i;
        fprintf(log, "%ld\n", sum);
    }
    printf("%ld %d\n", sum, fcntl(fileno(log), F_GETFD) & FD_CLOEXEC);
    return 0;
}
