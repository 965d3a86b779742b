/* refused: what `dup2` redirects | prog > file */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    double x = 1;
    int descriptor = open("o.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (int i = 0; i < 12; i++) {
        if (i == 0 && dup2(descriptor, 1) < 0)
            return 1;
        x = x * 1.5 + i;
        printf("%g\n", x);
    }
    return 0;
}
