/* A file without a name that has some bytes before the loop, and grows in it; a block may overwrite it on the way of a restart. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
#pragma cccp init
    int step, letters = 0;
    long length = 0;
    int scribbles = argc > 2 && strcmp(argv[2], "scribble") == 0;
    FILE *scratch = fopen("scratch.tmp", "w+");

    if (argc < 2 || scratch == NULL)
        return 1;
    unlink("scratch.tmp");
    for (int i = 0; i < atoi(argv[1]); i++)
        fputc('a', scratch);
#pragma cccp register(step, letters, length, scratch, scribbles)
#pragma cccp execute on restart
    if (scribbles) {
        fflush(scratch);
        if (ftell(scratch) > 7000 && pwrite(fileno(scratch), "xxxx", 4, 2) == 4)
            fputs("more", scratch);
    }
#pragma cccp end execute
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        fprintf(scratch, "b%03d\n", step);
    }
    fflush(scratch);
    rewind(scratch);
    for (int c; (c = fgetc(scratch)) != EOF; length++)
        letters += c != 'a' && c != 'x';
    printf("%ld %d\n", length, letters);
#pragma cccp shutdown
    return 0;
}
