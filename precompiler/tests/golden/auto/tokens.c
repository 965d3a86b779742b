/* What `strtok` remembers does not matter where it begins with another text, as here before and after every checkpoint. */
#include <stdio.h>
#include <string.h>

static int words(const char *text)
{
    char buffer[64];
    int count = 0;

    strncpy(buffer, text, sizeof buffer - 1);
    buffer[sizeof buffer - 1] = 0;
    for (char *word = strtok(buffer, " "); word != NULL; word = strtok(NULL, " "))
        count++;
    return count;
}

int main(void)
{
    int known = words("one two three");
    double sum = 0;

    for (int i = 0; i < 1000; i++) { /* before: register(sum, known) checkpoint */
        for (int k = 0; k < 1000; k++)
            sum += k * 1e-3;
        sum += known + words("four five");
    }
    printf("%g\n", sum);
    return 0;
}
