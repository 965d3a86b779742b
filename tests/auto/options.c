/* Options behind other words, which getopt puts before them; a word that strtok ends; variables that libraries set. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, steps = 4;
    const char *first = strtok(argv[1], ":");
    while ((option = getopt(argc, argv, "n:v")) != -1)
        if (option == 'n')
            steps = atoi(optarg);
    double size = lgamma(-0.5), sum = 0;
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < 100; i++)
            sum += size * signgam / (step + i + 1);
    printf("%.17g %s %s %d\n", sum, first, optind < argc ? argv[optind] : "-", argc - optind);
    return 0;
}
