/* A directory is read on the way, if the user asks for it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source { DIR *entries; double scale; };

static DIR *names;

int main(int argc, char **argv)
{
    struct source *source = calloc(1, sizeof *source);
    const char *word = argc > 1 ? argv[1] : "";
    double sum = 0;
    source->scale = 0.5;
    if (!strcmp(word, "variable")) names = opendir(".");
    if (!strcmp(word, "member")) source->entries = opendir(".");
    for (int step = 0; step < 8; step++) {
        if (names && readdir(names)) sum++;
        if (source->entries && readdir(source->entries)) sum++;
        sum += step * source->scale;
        printf("%d %g\n", step, sum);
        if (step == 3 && names) {
            closedir(names);
            names = NULL;
        }
    }
    return 0;
}
