/* The directory that the program goes to is in a file that it reads, and it comes back: the library knows where it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64

static struct settings {
    char path[200];
    int has_processes;
} settings;
static double field[SIZE];

static int read_settings(const char *name)
{
    char line[200];
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file)) {
        char *word = strtok(line, " \n");
        if (word && strcmp(word, "path") == 0) {
            char *path = strtok(NULL, " \n");
            if (path)
                snprintf(settings.path, sizeof settings.path, "%s", path);
        }
    }
    fclose(file);
    return settings.path[0] != '\0';
}

static int look_there(void)
{
    char before[4096];
    if (!getcwd(before, sizeof before))
        return 0;
    if (chdir(settings.path) != 0)
        return 0;
    settings.has_processes = access("proc", F_OK) == 0;
    return chdir(before) == 0;
}

int main(int argc, char **argv)
{
    int passes = argc > 1 ? atoi(argv[1]) : 20;
    FILE *file = fopen("settings.txt", "w");
    if (file == NULL)
        return 1;
    fputs("# where\npath /\n", file);
    fclose(file);
    if (!read_settings("settings.txt") || !look_there())
        return 1;
    for (int pass = 0; pass < passes; pass++) {
        field[0] = 1.0 + pass;
        for (int i = 1; i < SIZE - 1; i++)
            field[i] = 0.5 * field[i - 1] + 0.25 * field[i] + 0.25 * field[i + 1];
    }
    file = fopen("result.txt", "w");
    if (file == NULL)
        return 1;
    fprintf(file, "%s %d %.17g\n", settings.path, settings.has_processes, field[SIZE / 2]);
    fclose(file);
    printf("%.17g\n", field[SIZE / 2]);
    return 0;
}
