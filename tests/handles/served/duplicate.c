/* Two numbers of one open file: where one has written the other goes on. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int first = open("a.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    unsigned second = dup(first);
    for (int i = 0; i < 12; i++) {
        dprintf(first, "a %d\n", i);
        dprintf(second, "b %d\n", i);
    }
    printf("%ld\n", (long)lseek(second, 0, SEEK_CUR));
    return 0;
}
