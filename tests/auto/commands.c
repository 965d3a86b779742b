/* Reads numbers from a file, or from a command where it is asked to; some passes read what a command says, and some let a process of
 * their own think. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct source {
    FILE *stream;
    int is_a_pipe;
};

static struct source open_source(const char *name, const char *how)
{
    struct source source = {NULL, how != NULL};
    char command[64];
    snprintf(command, sizeof command, "cat %s", name);
    source.stream = how != NULL ? popen(command, "r") : fopen(name, "r");
    if (source.stream == NULL)
        exit(1);
    return source;
}

static void close_source(struct source source)
{
    if (source.is_a_pipe)
        pclose(source.stream);
    else
        fclose(source.stream);
}

static long asked(int pass)
{
    char command[64];
    long answer = 0;
    snprintf(command, sizeof command, "echo %d", pass * 3);
    FILE *stream = popen(command, "r");
    if (stream == NULL || fscanf(stream, "%ld", &answer) != 1)
        exit(1);
    pclose(stream);
    return answer;
}

static int thought(int pass)
{
    int status = 0;
    pid_t process = fork();
    if (process == 0)
        _exit(pass % 5);
    waitpid(process, &status, 0);
    return WEXITSTATUS(status);
}

static int looked_up(int pass)
{
    char number[12];
    int status = 0;
    snprintf(number, sizeof number, "%d", pass % 7);
    pid_t process = vfork();
    if (process == 0) {
        execlp("sh", "sh", "-c", "exit $0", number, (char *)NULL);
        _exit(99);
    }
    waitpid(process, &status, 0);
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    static double field[32];
    double number;
    int pass = 0;
    FILE *written = fopen("numbers.txt", "w");
    for (int i = 0; i < 40; i++)
        fprintf(written, "%d\n", i * i % 17);
    fclose(written);

    struct source source = open_source("numbers.txt", argc > 1 ? argv[1] : NULL);
    while (fscanf(source.stream, "%lf", &number) == 1) {
        if (pass % 10 == 3)
            number += asked(pass);
        if (pass % 10 == 7)
            number += thought(pass) + looked_up(pass);
        for (int i = 0; i < 32; i++)
            field[i] = 0.75 * field[i] + number / (i + 1.0);
        pass++;
    }
    close_source(source);
    printf("%d %.17g %.17g\n", pass, field[3], field[30]);
    return 0;
}
