/* `strtok` in helpers that begin anew with what they are handed, by a pointer and by a parameter, and `strerror` in one that asks
 * for it each time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *text;

static void words(const char *line, text first, text second)
{
    char copy[64];
    text at = copy;
    strncpy(copy, line, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    strcpy(first, strtok(at, " "));
    strcpy(second, strtok(NULL, " "));
}

static int numbers(text from, double *into)
{
    int count = 0;
    for (text one = strtok(from, "_"); one; one = strtok(NULL, "_"))
        into[count++] = atof(one);
    return count;
}

static void put(FILE *file, double value)
{
    if (fprintf(file, "%g\n", value) < 0) {
        printf("cannot write: %s\n", strerror(errno));
        exit(1);
    }
}

int main(void)
{
    char first[64], second[64];
    double values[8] = {0}, sum = 0;
    FILE *file = fopen("sums.txt", "w");
    words("size 1_2_3", first, second);
    numbers(second, values);
    for (int step = 0; step < 30; step++) {
        for (int i = 0; i < 1000; i++)
            sum += values[i % 3] / (1 + i + step);
        if (step % 7 == 6) {
            words("more 4_5_6", first, second);
            sum += numbers(second, values);
        }
        put(file, sum);
    }
    fclose(file);
    printf("%s %g\n", first, sum);
    return 0;
}
