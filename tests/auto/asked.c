/* The number of threads is asked from a file, beside what the program says of it: that happens once. A setting of the library is made
 * again from it in every start. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct input {
    int threads, cells, steps;
};

static void missing(const char *what)
{
    fprintf(stderr, "no %s\n", what);
    exit(2);
}

static struct input usual(void)
{
    struct input input = {1, 60, 20};
    return input;
}

static void ask(struct input *input, int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file != NULL) {
        if (fscanf(file, "%d %d", &input->threads, &input->steps) != 2)
            missing("numbers");
        fclose(file);
    }
    if (argc > 2)
        input->threads = atoi(argv[2]);
    if (input->threads < 1)
        printf("%d threads\n", input->threads);
}

int main(int argc, char **argv)
{
    struct input input = usual();
    ask(&input, argc, argv);
    omp_set_num_threads(input.threads);
    double *rod = calloc(input.cells, sizeof *rod), *next = calloc(input.cells, sizeof *next);
    rod[0] = 100;
    for (int t = 0; t < input.steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < input.cells - 1; i++)
            next[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
        for (int i = 1; i < input.cells - 1; i++)
            rod[i] = next[i];
    }
    printf("%d of %d: %.17g\n", omp_get_max_threads(), input.threads, rod[5]);
    return 0;
}
