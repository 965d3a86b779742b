/* Streams that nobody uses after the call that is given them: through two functions, from a local and from a static (S11, S32). */
#include <stdio.h>
#include <stdlib.h>

static FILE *report;

static void sum(FILE *from, FILE *to)
{
    unsigned char line[16];
    unsigned total = 0;
    while (!feof(from)) {
        size_t n = fread(line, 1, sizeof line, from);
        for (int k = 0; k < 200; k++)
            for (size_t i = 0; i < n; i++)
                total = total * 31 + line[i];
        fprintf(to, "%u\n", total);
    }
    fclose(from);
}

static void hand_on(FILE *from, FILE *to)
{
    sum(from, to);
}

static void work(const char *name, int kind)
{
    FILE *in = NULL;
    switch (kind) {
    case 0:
        in = stdin;
        break;
    default:
        in = fopen(name, "rb");
        break;
    }
    if (in == NULL)
        exit(1);
    hand_on(in, report);
}

int main(int argc, char **argv)
{
    FILE *numbers = fopen("numbers.txt", "w");
    (void)argv;
    for (int i = 0; i < 60; i++)
        fprintf(numbers, "%d\n", i * i);
    fclose(numbers);
    report = fopen("report.txt", "w");
    if (report == NULL)
        return 1;
    work("numbers.txt", argc);
    printf("done\n");
    return 0;
}
