/* refused: what `dup2` redirects is not redirected after a restart | prog > file | use `freopen` */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    double x = 1;
    int i;
#pragma cccp init
#ifdef CURED
    if (!freopen("o.txt", "w", stderr))
        return 1;
#else
    if (dup2(open("o.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666), 2) < 0)
        return 1;
#endif
#pragma cccp register(i, x)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        x = x * 1.5 + i;
        fprintf(stderr, "%g\n", x);
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
