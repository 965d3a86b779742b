/* A line is taken to pieces in each pass: strtok and strtok_r begin anew where they are handed the line, however it came. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double field[64];

static int words(char *text)
{
    int count = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        count += (int)strlen(word);
    return count;
}

static double numbers(char *text, char **rest)
{
    double sum = 0;
    char *skipped = text;
    while (*skipped == ' ')
        skipped++;
    for (char *word = strtok_r(skipped, " ", rest); word; word = strtok_r(NULL, " ", rest))
        sum += atof(word);
    return sum;
}

int main(void)
{
    char *line = malloc(128), *rest;
    FILE *input = fopen("tokens.txt", "w+");
    if (input == NULL || line == NULL)
        return 1;
    for (int i = 0; i < 40; i++)
        fprintf(input, " %d step %d of 40\n", i, i * i);
    rewind(input);
    char first[64];
    if (fgets(first, sizeof first, input) == NULL)
        return 1;
    int letters = words(first);
    double total = 0;
    for (int step = 0; step < 30; step++) {
        char *copy = malloc(64);
        snprintf(copy, 64, "  %d and %d", step, step + 7);
        total += numbers(copy, &rest);
        free(copy);
        if (step % 3 == 0 && fgets(line, 128, input) != NULL) {
            char *word = strtok(line, " ");
            while ((word = strtok(NULL, " \n")) != NULL)
                letters += (int)strlen(word);
        }
        for (int i = 1; i < 63; i++)
            field[i] = 0.5 * (field[i - 1] + field[i + 1]) + total * 1e-3;
    }
    printf("%d %.17g %.17g\n", letters, total, field[30]);
    free(line);
    fclose(input);
    return 0;
}
