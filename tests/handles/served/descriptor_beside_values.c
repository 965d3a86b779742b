/* A struct on the stack to which pointers lead: values, a member that points to another one, and the number of a file that is read on. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct model {
    int n;
    struct { int number; long size; } file;
    double *weights, *last;
    double first[4];
};

static void load(struct model *model, const char *name)
{
    FILE *made = fopen(name, "w");
    for (int i = 0; i < 64; i++)
        fputc('a' + i % 7, made);
    fclose(made);
    model->file.number = open(name, O_RDONLY);
    if (model->file.number < 0)
        exit(1);
    model->file.size = lseek(model->file.number, 0, SEEK_END);
    lseek(model->file.number, 0, SEEK_SET);
    model->n = model->file.size / 2;
    model->weights = malloc(model->n * sizeof *model->weights);
    model->last = model->first;
    for (int i = 0; i < model->n; i++)
        model->weights[i] = i;
}

static void run(struct model *model, int steps)
{
    for (int step = 0; step < steps; step++) {
        unsigned char next = 0;
        for (int i = 0; i < model->n; i++)
            model->weights[i] = model->weights[i] * 0.5 + i;
        if (read(model->file.number, &next, 1) == 1)
            model->last[0] += model->weights[next % model->n];
    }
}

int main(void)
{
    struct model model = { 0 };
    double sum = 0;
    load(&model, "weights.txt");
    run(&model, 20);
    for (int i = 0; i < model.n; i++)
        sum += model.weights[i];
    printf("%.17g %.17g %ld\n", sum, model.first[0], (long)lseek(model.file.number, 0, SEEK_CUR));
    if (close(model.file.number) != 0)
        printf("the file was lost\n");
    free(model.weights);
    return 0;
}
