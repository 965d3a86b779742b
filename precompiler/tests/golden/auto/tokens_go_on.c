/* refused: what `strtok` remembers */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buffer[64] = "one two three four five";
    double sum = 0;
    char *word = strtok(buffer, " ");

    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 1000; k++)
            sum += k * 1e-3;
        if (word != NULL)
            word = strtok(NULL, " ");
    }
    printf("%g\n", sum);
    return 0;
}
