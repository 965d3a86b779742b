/* refused: `many[…]` holds the descriptor of a file that is not open after a restart | it comes from here | execute on restart */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int i, *many;
#pragma cccp init
    many = malloc(2 * sizeof *many);
    many[0] = open("a.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    many[1] = open("b.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
#pragma cccp register(i, many[2])
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        dprintf(many[i % 2], "%d\n", i);
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
