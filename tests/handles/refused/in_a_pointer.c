/* refused: cannot restore `handle` | its type is no integer | keep the descriptor in an `int` */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

static void *handle;

static void put(void *where, int number)
{
    dprintf((int)(intptr_t)where, "%d\n", number);
}

int main(void)
{
    handle = (void *)(intptr_t)open("a.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 12; i++)
        put(handle, i);
    return 0;
}
