/* The number of a stream's file, which a helper asks for. */
#include <stdio.h>
#include <unistd.h>

static int number_of(FILE *stream)
{
    return fileno(stream);
}

int main(void)
{
    FILE *f = fopen("a.txt", "w");
    int fd = number_of(f);
    long sum = 0;
    for (int i = 0; i < 12; i++) {
        sum = sum * 3 + i;
        dprintf(fd, "%ld\n", sum);
    }
    fprintf(f, "end\n");
    fclose(f);
    printf("%ld\n", sum);
    return 0;
}
