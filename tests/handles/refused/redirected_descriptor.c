/* refused: what `dup2` redirects | prog > file */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define MOVE dup2

int main(void)
{
    int fd = open("o.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    MOVE(fd, 1);
    close(fd);
    for (int i = 0; i < 12; i++)
        printf("%d\n", i);
    return 0;
}
