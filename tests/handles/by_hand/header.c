/* refused: `mark` cannot be saved | `struct _IO_marker *` means nothing in another process: only the library of | execute on restart */
#include <stdio.h>

struct _IO_marker *first_mark(void);

int main(void)
{
    struct _IO_marker *mark = first_mark();
    int i;
#pragma cccp init
#pragma cccp register(i, mark)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        printf("%d\n", mark == NULL);
    }
#pragma cccp shutdown
    return 0;
}
