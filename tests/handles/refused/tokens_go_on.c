/* refused: what `strtok` remembers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double next(char *text)
{
    char *word = strtok(text, " ");
    return word ? atof(word) : 0;
}

int main(void)
{
    char text[] = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    double sum = next(text), x[8] = {0};
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 8; i++)
            x[i] += 0.5 * step * (i + 1);
        sum += next(NULL) * x[step % 8];
    }
    printf("%g\n", sum);
    return 0;
}
