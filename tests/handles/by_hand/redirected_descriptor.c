/* refused: what `dup2` redirects is not redirected after a restart | execute on restart */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define OUTPUT STDOUT_FILENO
#define MOVE dup2

int main(void)
{
    int i, fd = open("o.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    /* Before `init` as well. */
    MOVE(fd, OUTPUT);
    close(fd);
#pragma cccp init
#pragma cccp register(i)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        printf("%d\n", i);
    }
#pragma cccp shutdown
    return 0;
}
