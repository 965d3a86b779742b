/* A pointer that may point to memory of the C library, and stays with what was freed until it is set again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *name;

int main(int argc, char **argv)
{
    int is_odd = argc > 1 && strcmp(argv[1], "library") == 0;
    double sum = 0;
    time_t now = 0;
    name = strdup("first");
    for (int step = 0; step < 24; step++) {
        char text[16];
        if (step % 6 == 0)
            sum += strlen(name);
        if (step % 6 == 1 && !is_odd)
            free((char *)name);
        if (step % 6 == 5) {
            snprintf(text, sizeof text, "name %d", step);
            name = is_odd ? asctime(gmtime(&now)) : strdup(text);
        }
        for (int i = 0; i < 1000; i++)
            sum += i * 1e-3 / (step + 1);
        printf("%d %.17g\n", step, sum);
    }
    return 0;
}
