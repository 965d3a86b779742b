/* A process whose output is read to its end before the loop, by a helper with `strtok`, and options of the command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *title = "none";
static int size = 5;

static int lines_of(const char *command, char *into, int room)
{
    FILE *from = popen(command, "r");
    int lines = 0;
    if (!from)
        return -1;
    while (fgets(into, room, from))
        lines++;
    pclose(from);
    return lines;
}

static void options(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "n:t:")) != -1) {
        if (option == 'n')
            size = atoi(optarg);
        if (option == 't')
            title = optarg;
    }
}

int main(int argc, char **argv)
{
    char text[200];
    char *given[] = {argv[0], "-t", "fine", "-n", "6", NULL};
    double weights[10] = {0}, sum = 0;
    int count = 0, lines = lines_of("echo 1 2 3 4 5", text, sizeof text);
    options(argc > 1 ? argc : 5, argc > 1 ? argv : given);
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        weights[count++] = atof(word);
    for (int step = 0; step < 20; step++)
        for (int i = 0; i < size; i++) {
            weights[i] += 0.1 * step;
            sum += weights[i];
        }
    printf("%s %d %d %g\n", title, lines, count, sum);
    return 0;
}
