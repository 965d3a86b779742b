/* A stream of every mode, in variables, members, arrays and memory of the heap; two names for one stream; the standard
 * streams. Between checkpoints files are written and read; what is written after a checkpoint is not for ever.
 *
 * The file input.txt has numbers, one in a line; update.txt has forty lines.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct log {
    int lines;
    FILE *file;
    struct {
        FILE *also[2];
    } more;
};

static FILE *journal;

static void note(struct log *log, int step, long sum)
{
    fprintf(log->file, "step %d of a long run\n", step);
    fprintf(log->more.also[step % 2], "%ld\n", sum);
    log->lines++;
}

int main(void)
{
#pragma cccp init
    int step;
    long sum = 0;
    struct log log = {0, fopen("log.txt", "w"), {{NULL, fopen("also.txt", "w")}}};
    struct log *other = calloc(2, sizeof *other);
    FILE *in = fopen("input.txt", "r"), *same = log.file, *none = NULL, *many[4], *out = stdout;
    FILE *update = fopen("update.txt", "r+"), *gone = fopen("/dev/null", "w");
    int descriptor = open("descriptor.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (other == NULL)
        return 1;
    log.more.also[0] = log.more.also[1];
    other[1].file = fopen("other.txt", "w");
    journal = fopen("first.txt", "w");
    if (journal == NULL || freopen("journal.txt", "a", journal) == NULL)
        return 1;
    many[0] = fopen("many-0.txt", "a");
    many[1] = fopen("many-1.txt", "w+");
    many[2] = fopen("many-2.txt", "a+");
    many[3] = fdopen(descriptor, "w");
#pragma cccp register(step, sum, log, other[2], in, same, none, many, out, update, gone, journal)
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        int value;
        char line[80];
        if (fscanf(in, "%d", &value) != 1)
            value = -1000;
        sum += value;
        note(&log, step, sum);
        fprintf(same, "sum %ld\n", sum);
        for (int i = 0; i < 4; i++)
            fprintf(many[i], "%d: %d %ld\n", i, step, sum);
        fprintf(other[1].file, "%d\n", step);
        fprintf(out, "step %d\n", step);
        fprintf(journal, "journal %d\n", step);
        fprintf(gone, "nothing\n");
        if (fgets(line, sizeof line, update) != NULL)
            sum += (long)strlen(line);
        if (step % 5 == 4) { /* to the end, and back to where it was */
            long place = ftell(update);
            fseek(update, 0, SEEK_END);
            fprintf(update, "more at %d\n", step);
            fseek(update, place, SEEK_SET);
        }
        if (step == 7 || step == 14) { /* back to the beginning, in the middle of everything */
            rewind(many[1]);
            if (fgets(line, sizeof line, many[1]) != NULL)
                sum += line[0];
            fseek(many[1], 0, SEEK_END);
        }
    }
    if (none == NULL && same == log.file && log.more.also[0] == log.more.also[1] && out == stdout)
        printf("%ld %d\n", sum, log.lines);
#pragma cccp shutdown
    fclose(log.file);
    fclose(log.more.also[0]);
    fclose(other[1].file);
    fclose(in);
    fclose(update);
    fclose(gone);
    fclose(journal);
    for (int i = 0; i < 4; i++)
        fclose(many[i]);
    free(other);
    return 0;
}
