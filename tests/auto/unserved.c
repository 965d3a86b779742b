/* Two loops that do most of the work. In one of them a directory is open, which cannot come back; the other goes over the same data again
 * and again. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static double field[400], table[400];

static void set_up(int passes, DIR *directory)
{
    for (int pass = 0; pass < passes; pass++) {
        struct dirent *entry = readdir(directory);
        for (int k = 0; k < 400 / passes; k++)
            table[pass * (400 / passes) + k] = (entry ? entry->d_name[0] : 1) * 1e-3 * (k % 11);
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 50, passes = argc > 2 ? atoi(argv[2]) : 20;
    DIR *directory = opendir("/");
    if (!directory)
        return 1;
    set_up(passes, directory);
    closedir(directory);
    for (int step = 0; step < steps; step++)
        for (int k = 1; k < 399; k++)
            field[k] += 0.25 * (field[k - 1] + field[k + 1] - 2 * field[k]) + table[k];
    printf("%.17g\n", field[200]);
    return 0;
}
