/* A type of the file in a struct of a block, aligned by its typedef: only its block knows how it lies in memory.
   refused: its type is declared inside a function, with attributes | at file scope it could be described */
#include <stdio.h>

typedef int wide __attribute__((aligned(32)));

int main(void)
{
    struct cell { char c; wide v; };
    struct cell cells[8] = {{0}};
    for (int step = 0; step < 100; step++)
        for (int i = 0; i < 8; i++)
            cells[i].v += (cells[(i + 1) % 8].v + step) % 7;
    printf("%d\n", cells[3].v);
    return 0;
}
