/* Writes to files that are closed again before the next checkpoint: appended, made, renamed, removed; here and in another file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APPEND(name, value)                                                    \
    do {                                                                       \
        FILE *to = fopen(name, "a");                                           \
        if (to != NULL) {                                                      \
            fprintf(to, "%d\n", value);                                        \
            fclose(to);                                                        \
        }                                                                      \
    } while (0)

struct output {
    const char *name;
    long bytes;
};

void put(struct output *output, const char *text);

static void dump(int it, double x)
{
    FILE *f = fopen("dump.txt", it == 0 ? "w" : "a");
    fprintf(f, "%d %.17g\n", it, x);
    fclose(f);
}

static void state(int it)
{
    FILE *f = fopen("state.part", "w");
    fprintf(f, "state %d\n", it);
    fclose(f);
    rename("state.part", "state.txt");
}

int main(void)
{
    static double x[64];
    struct output raw = {"raw.txt", 0};

    for (int it = 0; it < 24; it++) {
        char name[32], text[32];
        for (int k = 0; k < 20000; k++)
            x[k % 64] += 1.0 / (k + it + 1);
        dump(it, x[7]);
        state(it);
        APPEND("log.txt", it);
        if (it == 14)
            rename("log.txt", "log-1.txt");
        snprintf(text, sizeof text, "raw %d\n", it);
        put(&raw, text);
        snprintf(name, sizeof name, "step-%d.txt", it);
        APPEND(name, it);
        if (it >= 4) {
            snprintf(name, sizeof name, "step-%d.txt", it - 2);
            APPEND(name, -it);
            snprintf(name, sizeof name, "step-%d.txt", it - 4);
            remove(name);
        }
    }
    printf("%.17g %ld\n", x[5], raw.bytes);
    return 0;
}
