/* When output leaves a stream: at once, at the end of a line, beside what goes to the same file by its descriptor. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    FILE *at_once = fopen("at_once.txt", "w"), *lines = fopen("lines.txt", "w"), *usual = fopen("usual.txt", "w");
    static char buffer[1000];
    setvbuf(at_once, NULL, _IONBF, 0);
    setlinebuf(lines);
    setvbuf(usual, buffer, _IOFBF, sizeof buffer);
    long sum = 0;
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 500; k++) sum = sum * 3 + k % 7;
        fprintf(at_once, "%d ", i);
        fprintf(lines, "%d\n", i);
        fprintf(usual, "%d\n", i);
        printf("%d ", i);
        if (write(fileno(at_once), "raw\n", 4) != 4 || write(fileno(lines), "raw\n", 4) != 4 || write(1, "raw\n", 4) != 4)
            return 1;
    }
    printf("%ld\n", sum);
    return 0;
}
