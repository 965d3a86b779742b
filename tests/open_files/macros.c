/* Macros with the names of functions that open, rename and remove files, which call the functions themselves. */
#include <stdio.h>
#include <stdlib.h>

static int opened;

static FILE *checked(FILE *file)
{
    opened++;
    if (file == NULL)
        exit(3);
    return file;
}

#define fopen(name, mode) checked(fopen(name, mode))
#define remove(name) (opened--, (remove)(name))
static int (*move)(const char *, const char *) = rename;
#define rename(from, to) move(to, from)

int main(void)
{
    long i, sum = 0;
    FILE *early = fopen("early.txt", "w");
    fprintf(early, "head\n");
#pragma cccp init
    FILE *log = fopen("log.txt", "w");
#pragma cccp register(i, sum, opened, log)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        char name[32];
        snprintf(name, sizeof name, "step-%ld.txt", i);
        FILE *one = fopen(name, "w");
        fprintf(one, "%ld\n", sum);
        fclose(one);
        if (i == 5)
            rename("moved.txt", "step-5.txt");
        if (i > 7) {
            snprintf(name, sizeof name, "step-%ld.txt", i - 2);
            remove(name);
        }
        fprintf(log, "%ld\n", i);
        fprintf(early, "%ld %d\n", i, opened);
        sum += i;
    }
    fclose(log);
    fclose(early);
#pragma cccp shutdown
    return sum == 66 ? 0 : 1;
}
