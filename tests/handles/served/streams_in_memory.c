/* Streams among other values in allocated memory, an array of them, and one that is opened late. */
#include <stdio.h>
#include <stdlib.h>

typedef FILE *stream;
typedef struct { stream out; long lines; } log_file;

static log_file *logs;

static stream begin(const char *name)
{
    return fopen(name, "w");
}

int main(void)
{
    FILE **both = malloc(2 * sizeof *both);
    logs = calloc(3, sizeof *logs);
    both[0] = begin("first.txt");
    both[1] = begin("second.txt");
    for (int i = 0; i < 12; i++) {
        if (i == 5)
            logs[2].out = begin("late.txt");
        if (logs[2].out != NULL) {
            fprintf(logs[2].out, "%d\n", i);
            logs[2].lines++;
        }
        fprintf(both[i % 2], "%d %ld\n", i, logs[2].lines);
    }
    printf("%ld\n", logs[2].lines);
    for (int i = 0; i < 2; i++)
        fclose(both[i]);
    fclose(logs[2].out);
    free(both);
    free(logs);
    return 0;
}
