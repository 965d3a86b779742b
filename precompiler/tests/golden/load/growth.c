/* A table grows once for each doubling: what that costs is small beside what is done with each line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    long count, most, room;
    long *keys;
} table;

static void *more(void *memory, long bytes)
{
    void *new = realloc(memory, bytes);
    if (!new)
        exit(1);
    return new;
}

static void resize(table *t, long room)
{
    long *keys = more(NULL, room * sizeof *keys);
    memset(keys, 0, room * sizeof *keys);
    for (long i = 0; i < t->room; i++) /* not selected */
        for (long j = t->keys[i] % room; t->keys[i]; j = (j + 1) % room) /* not selected */
            if (!keys[j]) {
                keys[j] = t->keys[i];
                break;
            }
    free(t->keys);
    t->keys = keys;
    t->room = room;
    t->most = room / 2;
}

static void put(table *t, long key)
{
    if (t->count >= t->most)
        resize(t, t->room ? 2 * t->room : 8);
    long i = key % t->room;
    while (t->keys[i] && t->keys[i] != key) /* not selected */
        i = (i + 1) % t->room;
    t->count += !t->keys[i];
    t->keys[i] = key;
}

static long weight(const char *line, double *field, int n)
{
    for (int i = 0; i < n; i++) /* not selected */
        field[i] = 0.5 * field[i] + line[0] * field[(i + 1) % n];
    return (long)field[0] % 1000 + 1;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *field = calloc(n, sizeof *field);
    table t = {0};
    char line[100];
    while (fgets(line, sizeof line, stdin)) /* selected */
        put(&t, weight(line, field, n));
    printf("%ld\n", t.count);
    return 0;
}
