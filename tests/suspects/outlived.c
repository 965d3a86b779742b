/* Pointers in memory that may point to memory of the C library, and among them one that has outlived its table: the system has that
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char **names;

static double merge(int steps)
{
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100000; i++)
            sum += i * 1e-3 / (step + 1);
        sum += strlen(names[step % 2]);
    }
    return sum;
}

static double count(int steps, int n)
{
    char *table = names[2] = calloc(n, 8);
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) {
            table[i] = (table[i] + i * 7) % 13;
            sum += table[i] / (step + 1);
        }
        sum += strlen(names[step % 2]);
    }
    free(table);
    return sum + merge(steps);
}

int main(int argc, char **argv)
{
    time_t now = 0;
    names = malloc(3 * sizeof *names);
    names[0] = strdup("first");
    names[1] = argc > 1 && strcmp(argv[1], "library") == 0 ? asctime(gmtime(&now)) : strdup("second");
    printf("%.17g\n", count(24, 100000));
    return 0;
}
