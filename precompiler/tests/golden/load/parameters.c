/* A file of parameters is read, and each name is looked up in a table, into which the values go: it is soon read. A file may include
 * another one. */
#include <stdio.h>
#include <string.h>

struct parameter {
    char name[40];
    double *value;
    int was_read;
};

static struct parameter known[500];
static int count, size;
static double dt, last, cells, grid[200][200], next[200][200];

static void know(const char *name, double *value)
{
    strcpy(known[count].name, name);
    known[count++].value = value;
}

static void check_words(char **words)
{
    for (int j = 0; words[j]; j++) { /* not selected */
        int found = 0;
        for (int i = 0; i < count; i++) /* not selected */
            if (strcmp(known[i].name, words[j]) == 0) {
                known[i].was_read = 2;
                found = 1;
            }
        if (!found)
            fprintf(stderr, "%s is not known\n", words[j]);
    }
}

static void read_parameters(const char *path, char **words)
{
    char line[200], name[40], text[40];
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return;
    check_words(words);
    while (fgets(line, sizeof line, in) != NULL) { /* not selected */
        double value;
        if (sscanf(line, "%39s %39s %lf", name, text, &value) < 2)
            continue;
        for (size_t i = 0; i < strlen(name); i++) /* not selected */
            name[i] = name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i];
        if (strcmp(name, "include") == 0)
            read_parameters(text, words);
        for (int i = 0; i < count; i++) /* not selected */
            if (strcmp(name, known[i].name) == 0) {
                *known[i].value = value;
                known[i].was_read = 1;
            }
    }
    fclose(in);
    for (int i = 0; i < count; i++) /* not selected */
        if (known[i].was_read == 0)
            *known[i].value = 100;
}

static void sweep(void)
{
    for (int i = 1; i < size - 1; i++) /* not selected */
        for (int j = 1; j < size - 1; j++) /* not selected */
            next[i][j] = grid[i][j] + dt * (grid[i - 1][j] + grid[i][j + 1] - 2 * grid[i][j]);
    for (int i = 1; i < size - 1; i++) /* not selected */
        for (int j = 1; j < size - 1; j++) /* not selected */
            grid[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    know("dt", &dt);
    know("last", &last);
    know("cells", &cells);
    read_parameters("params.txt", argv);
    size = (int)cells;
    for (int step = 0; step < last; step++) /* selected */
        sweep();
    printf("%.17g\n", grid[9][9]);
    return 0;
}
