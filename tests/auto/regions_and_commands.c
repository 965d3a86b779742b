/* Threads of a team work between the checkpoints, and some passes write a report, which an option hands to a command. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 64

static double sum_of(const double *values)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += values[i];
    return sum;
}

static void report(const double *values, int pass, const char *plotter)
{
    FILE *out = plotter != NULL ? popen(plotter, "w") : fopen("report.txt", "w");
    if (out == NULL)
        exit(1);
    fprintf(out, "%d %.17g\n", pass, sum_of(values));
    fclose(out);
}

static void relax(double *values, const double *before)
{
#pragma omp parallel for
    for (int i = 1; i < COUNT - 1; i++)
        values[i] = 0.25 * (before[i - 1] + before[i + 1]) + 0.5 * before[i];
}

int main(int argc, char **argv)
{
    static double values[COUNT], before[COUNT];
    int passes = argc > 1 ? atoi(argv[1]) : 40;
    const char *plotter = argc > 2 ? argv[2] : NULL;
    for (int i = 0; i < COUNT; i++)
        values[i] = i % 7;
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 0; i < COUNT; i++)
            before[i] = values[i];
        relax(values, before);
        if (pass % 4 == 3)
            report(values, pass, plotter);
    }
    printf("%.17g\n", sum_of(values));
    return 0;
}
