/* Pointers in memory that may point to memory of the C library, and beside them a pointer and an array of pointers whose blocks are freed, but
 * not given back to the system: the function is called twice, and the first call sorts by them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char **names;

static double work(double *x, int n, int sorted, int passes)
{
    int *order = malloc(n * sizeof *order);
    int *parts[2];
    double sum = 0;
    for (int part = 0; part < 2; part++)
        parts[part] = malloc(n * sizeof **parts);
    for (int i = 0; i < n; i++)
        order[i] = parts[0][i] = parts[1][i] = (i * 7) % n;
    if (sorted) {
        for (int pass = 0; pass < passes; pass++) {
            for (int i = 1; i < n; i++) {
                int other = (order[i] + pass) % n;
                x[i] += 0.5 * x[order[other]] / (pass + 1);
                order[other] = (order[i] + parts[pass % 2][i]) % n;
                parts[pass % 2][i] = other;
            }
            sum += strlen(names[pass % 2]);
        }
    }
    free(order);
    for (int part = 0; part < 2; part++)
        free(parts[part]);
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 1; i < n; i++)
            sum += x[i] = 0.5 * (x[i - 1] + x[i]) + pass;
        sum += strlen(names[pass % 2]);
    }
    return sum;
}

int main(int argc, char **argv)
{
    time_t now = 0;
    int n = 3000;
    double *x = malloc(n * sizeof *x);
    names = malloc(2 * sizeof *names);
    names[0] = strdup("first");
    names[1] = argc > 1 && strcmp(argv[1], "library") == 0 ? asctime(gmtime(&now)) : strdup("second");
    for (int i = 0; i < n; i++)
        x[i] = i;
    double sum = work(x, n, 1, 20);
    sum += work(x, n, 0, 20);
    printf("%.17g\n", sum);
    return 0;
}
