/* Variables whose size only another file knows. */
#include <stdio.h>
#include "table.h"

int main(void)
{
    for (int step = 0; step < 40; step++) {
        turn(step);
        for (int i = 0; i < 16; i++) {
            long sum = 0;
            for (int j = 0; j < 3000; j++)
                sum += names[i][j % 4] + counts[(i + j) % 16];
            counts[i] = (int)(sum % 1000);
        }
        note(&noted, counts[step % 16]);
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", counts[i]);
    printf("%ld\n", of(&noted));
    return 0;
}
