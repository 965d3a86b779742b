/* The work is begun where the words of the command line are read, by a branch that returns. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long longest(unsigned long until)
{
    unsigned long best = 0;
    for (unsigned long number = 1; number < until; number++) {
        unsigned long steps = 0;
        for (unsigned long value = number; value != 1; steps++)
            value = value % 2 ? 3 * value + 1 : value / 2;
        if (steps > best)
            best = steps;
    }
    return best;
}

static int begin(int argc, char **argv)
{
    int word;
    while ((word = getopt(argc, argv, "n:q")) != -1) {
        switch (word) {
        case 'n':
            printf("%lu\n", longest(strtoul(optarg, NULL, 10)));
            return 1;
        case 'q':
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    char *given[] = {argv[0], "-n", "40", NULL};
    if (!begin(argc > 1 ? argc : 3, argc > 1 ? argv : given))
        printf("%lu\n", longest(40));
    return 0;
}
