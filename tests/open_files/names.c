/* Makes, renames and removes directories, links and pipes in each step, with files in them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(int result, const char *what, int step)
{
    if (result != 0) {
        perror(what);
        fprintf(stderr, "in step %d\n", step);
        exit(1);
    }
}

static void write_to(const char *name, const char *mode, int step)
{
    FILE *file = fopen(name, mode);
    must(file == NULL, name, step);
    fprintf(file, "step %d\n", step);
    fclose(file);
}

/* The directory of a step, and that of three steps before. */
static void rolling(int step)
{
    char name[64], file[80];
    snprintf(name, sizeof name, "step%02d", step);
    must(mkdir(name, 0750), "mkdir", step);
    snprintf(file, sizeof file, "%s/values", name);
    write_to(file, "w", step);
    if (step <= 3)
        return;
    snprintf(name, sizeof name, "step%02d", step - 3);
    snprintf(file, sizeof file, "%s/values", name);
    must(unlinkat(AT_FDCWD, file, 0), "unlinkat", step);
    must(unlinkat(AT_FDCWD, name, AT_REMOVEDIR), "unlinkat of a directory", step);
}

/* A directory becomes complete under another name; the last one is kept. */
static void replaced(int step)
{
    char made[] = "partXXXXXX", file[64];
    if (step > 2) {
        must(unlink("old/values"), "unlink", step);
        must(step % 2 ? rmdir("old") : remove("old"), "rmdir", step);
    }
    if (step > 1)
        must(rename("whole", "old"), "rename of a directory", step);
    must(mkdtemp(made) == NULL, "mkdtemp", step);
    must(chmod(made, 0755), "chmod", step);
    snprintf(file, sizeof file, "%s/values", made);
    write_to(file, "w", step);
    must(rename(made, "whole"), "rename of what was made", step);
    write_to("whole/values", "a", -step);
}

/* Files have second names. */
static void linked(int step)
{
    char name[64], made[] = "stateXXXXXX.part";
    int file = mkstemps(made, 5);
    must(file < 0, "mkstemps", step);
    dprintf(file, "state %d\n", step);
    must(fchmod(file, 0644), "fchmod", step);
    must(close(file), "close", step);
    snprintf(name, sizeof name, "state.%02d", step - 1);
    if (step > 1)
        must(link("state", name), "link", step);
    must(renameat(AT_FDCWD, made, AT_FDCWD, "state"), "renameat", step);
    snprintf(name, sizeof name, "state.%02d", step - 4);
    if (step > 4)
        must(unlink(name), "unlink of a second name", step);
    if (step % 5 == 4)
        must(symlink("state", "link"), "symlink", step);
    if (step % 5 == 2 && step > 5)
        must(unlink("link"), "unlink of a link", step);
    snprintf(name, sizeof name, "step%02d/values", step);
    must(symlinkat(name, AT_FDCWD, "latest.part"), "symlinkat", step);
    must(rename("latest.part", "latest"), "rename of a link", step);
    write_to("latest", "a", 100 + step);
    snprintf(name, sizeof name, "pipe%d", step % 3);
    if (step > 3)
        must(unlink(name), "unlink of a pipe", step);
    must(mkfifo(name, 0600), "mkfifo", step);
}

/* A stream that is open all the time gets another name. */
static FILE *rotated(FILE *log, int step)
{
    fprintf(log, "step %d\n", step);
    if (step % 3 != 0)
        return log;
    must(rename("run.log", "run.log.1"), "rename of what is open", step);
    fprintf(log, "renamed\n");
    fclose(log);
    log = fopen("run.log", "a");
    must(log == NULL, "fopen", step);
    return log;
}

int main(void)
{
    double value = 1;
    must(mkdir("logs", 0777), "mkdir", 0);
    must(symlink("logs/first", "run.log"), "symlink", 0);
    must(unlink("run.log"), "unlink", 0);
    FILE *log = fopen("run.log", "a");
    must(log == NULL, "fopen", 0);
    for (int step = 1; step <= 16; step++) {
        for (int i = 0; i < 100000; i++)
            value = value * 0.999 + i % 7;
        rolling(step);
        replaced(step);
        linked(step);
        log = rotated(log, step);
    }
    fclose(log);
    printf("%.17g\n", value);
    return 0;
}
