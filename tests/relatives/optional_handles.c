/* Directories that are read on the way and an alphabet that texts are brought into, each only if the user asks for it. */
#include <dirent.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
struct source { DIR *entries; int taken; double scale; };
static struct source *source;
static DIR *others;
static int next_name(DIR *from)
{
    struct dirent *entry = readdir(from);
    return entry ? entry->d_name[0] : 0;
}
static double drawn(int step)
{
    if (others) return next_name(others) * source->scale;
    if (!source->entries) return step * source->scale;
    source->taken++;
    return next_name(source->entries);
}
int main(int argc, char **argv)
{
    double *u = calloc(8, sizeof *u), sum = 0;
    iconv_t words = NULL;
    struct { DIR *entries; double mean; } here = { NULL, 0 };
    source = calloc(1, sizeof *source);
    source->scale = 0.25;
    if (argc > 1) source->entries = opendir(argv[1]);
    if (argc > 2) others = opendir(argv[2]);
    if (argc > 3) words = iconv_open("UTF-8", argv[3]);
    if (argc > 4) here.entries = opendir(argv[4]);
    for (int step = 0; step < 24; step++) {
        for (int k = 0; k < 8; k++) u[k] += 0.5 * u[(k + 1) % 8] + drawn(step);
        for (int k = 0; k < 8; k++) sum += u[k];
        if (words) iconv(words, NULL, NULL, NULL, NULL);
        here.mean += here.entries ? next_name(here.entries) : sum / 24;
    }
    if (source->entries) closedir(source->entries);
    if (others) closedir(others);
    printf("%g %g %d\n", sum, here.mean, source->taken);
    return 0;
}
