/* Readings of stations, as text: threads take them apart, each into numbers of its own, whose addresses they hand to `sscanf`. The
 * counts lie in rows of rows, whose calls of `malloc` are written with macros and comments. Whoever finds anything in `errno`
 * behind `open` takes that for a failure. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STATIONS 40
#define KINDS 4
#define number double

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    char text[STATIONS][32];
    number *distance = malloc(STATIONS * /* in the text's order */ sizeof(number));
    number sum = 0, east, north;
    int ***counts;
    int i, k, round, fd;

    counts = (int ***)malloc(KINDS * sizeof(int **));
    for (i = 0; i < KINDS; i++) {
        counts[i] = (int **)malloc(2 * sizeof(int *));
        counts[i][0] = (int *)calloc(KINDS * 2, // both rows
                                     sizeof(int));
        counts[i][1] = counts[i][0] + KINDS;
    }
    for (i = 0; i < STATIONS; i++)
        sprintf(text[i], "%d.5 %d", i, i * i % 17);

    errno = 0;
    fd = open("stations.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (errno) {
        perror("stations.log");
        return 1;
    }
    for (round = 0; round < rounds; round++) {
        char line[64];
#pragma omp parallel for private(i, east, north)
        for (i = 0; i < STATIONS; i++) {
            sscanf(text[i], "%lf %lf", &east, &north);
            distance[i] = sqrt(east * east + north * north + round);
        }
        for (i = 0; i < STATIONS; i++) {
            k = (int)distance[i] % KINDS;
            counts[k][round % 2][i % KINDS]++;
            sum += distance[i] * counts[k][0][i % KINDS];
        }
        if (write(fd, line, sprintf(line, "%d %.17g\n", round, sum)) < 0)
            return 1;
    }
    close(fd);
    printf("%.17g\n", sum);
    for (i = 0; i < KINDS; i++)
        printf("%d %d\n", counts[i][0][i], counts[i][1][i]);
    return 0;
}
