/* How a value of such a type lies in memory, only its block knows.
   refused: `cells` cannot be saved: its type is declared inside a function, with attributes | at file scope it could be described */
#include <stdio.h>

int main(void)
{
    struct __attribute__((packed)) cell { char c; double v; };
    struct cell cells[8];
    for (int i = 0; i < 8; i++) {
        cells[i].v = i;
        cells[i].c = 'a';
    }
    for (int step = 0; step < 100; step++)
        for (int i = 0; i < 8; i++)
            cells[i].v += cells[(i + 1) % 8].v * 0.01 + cells[i].c;
    printf("%.17g\n", cells[3].v);
    return 0;
}
