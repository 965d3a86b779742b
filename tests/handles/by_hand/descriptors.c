/* refused: `log` holds the descriptor of a file that is not open after a restart | add `#pragma cccp register(file(log))` | `both` holds the descriptor | register(file(both)) */
#include <fcntl.h>
#include <stdio.h>

static int begin(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

int main(void)
{
    int log, i, again, both[2];
#pragma cccp init
#pragma cccp execute on restart
    again = open("e.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
#pragma cccp end execute
    log = begin("a.txt");
    both[0] = begin("b.txt");
    both[1] = begin("c.txt");
#ifdef CURED
#pragma cccp register(i, file(log), file(both))
#else
#pragma cccp register(i, log, both)
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        dprintf(log, "%d\n", i);
        dprintf(both[i % 2], "%d\n", i);
        if (again < 0)
            return 1;
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
