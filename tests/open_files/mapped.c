/* Reads a file that it has mapped; it may replace the file meanwhile, or register what is in it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
#pragma cccp init
    int file = open("input.txt", O_RDONLY);
    struct stat known;
    if (file < 0 || fstat(file, &known) != 0)
        return 1;
    const char *text = mmap(NULL, known.st_size, PROT_READ, MAP_PRIVATE, file, 0), *at = text;
    close(file);
    if (text == MAP_FAILED)
        return 1;
    if (argc > 1 && strcmp(argv[1], "replaced") == 0)
        rename("update.txt", "input.txt");
    long sum = 0, length = argc > 1 && strcmp(argv[1], "registered") == 0 ? known.st_size : 0;
    int step;
#pragma cccp register(text, at, sum, step)
    if (length) {
#pragma cccp register(length, text[length])
    }
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        sum = sum * 3 + *at++ + text[step * 2];
    }
    printf("%ld %ld\n", sum, (long)(at - text));
#pragma cccp shutdown
    return 0;
}
