/* refused: `second` holds what `dup2` gave, which is gone after a restart */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int i, first, second;
#pragma cccp init
    first = open("a.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#ifdef CURED
#pragma cccp register(i, file(first))
#pragma cccp execute on restart
    second = dup2(first, 40);
#pragma cccp end execute
#else
    second = dup2(first, 40);
#pragma cccp register(i, file(first), file(second))
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        dprintf(first, "a %d\n", i);
        dprintf(second, "b %d\n", i);
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
