/* A log that a library opens by its name: emptied before `init`, opened to append in each pass, another one for each tenth pass. */
#include <stdio.h>

typedef struct gzFile_s *gzFile;
gzFile gzopen(const char *path, const char *mode);
int gzwrite(gzFile file, const void *words, unsigned length);
int gzclose(gzFile file);

static void add(const char *name, const char *mode, const char *words, int length)
{
    gzFile file = gzopen(name, mode);
    if (file == NULL)
        return;
    gzwrite(file, words, (unsigned)length);
    gzclose(file);
}

int main(void)
{
    double sum = 0;
    int step, i;
    char words[64], name[32];
    add("log.txt", "wb9", "begin\n", 6);
    for (step = 0; step < 30; step++) {
        for (i = 0; i < 1000; i++)
            sum += i % 7 * step;
        add("log.txt", "ab", words, snprintf(words, sizeof words, "%d %g\n", step, sum));
        if (step % 10 == 9) {
            snprintf(name, sizeof name, "part%d.txt", step / 10);
            add(name, "6w", words, snprintf(words, sizeof words, "%g\n", sum));
        }
    }
    printf("%g\n", sum);
    return 0;
}
