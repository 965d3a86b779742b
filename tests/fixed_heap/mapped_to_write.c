#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct file { int descriptor; char *mapped; };
struct options { struct file *file; int size; char *buffer; };

static struct options options;

/* The table in front of the buffer needs a fixed heap, and the file is mapped to be written. */
int main(void)
{
    options.size = 4096;
    options.buffer = (char *)malloc(options.size + 2 * sizeof(void *)) + sizeof(void *);
    ((void **)options.buffer)[-1] = options.buffer - sizeof(void *);
    options.file = malloc(sizeof *options.file);
    options.file->descriptor = open("mapped.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(options.file->descriptor, options.size) != 0)
        return 1;
    options.file->mapped = mmap(NULL, options.size, PROT_READ | PROT_WRITE, MAP_SHARED, options.file->descriptor, 0);
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < options.size; i++)
            options.buffer[i] += i + step;
        memcpy(options.file->mapped, options.buffer, options.size);
        for (int i = 0; i < options.size; i++)
            sum += options.file->mapped[i];
    }
    printf("%.17g\n", sum);
    return 0;
}
