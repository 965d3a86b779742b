/* Files that the program maps: to be read, which a restart maps again, and to be changed in memory alone, which is a block like any
   other. Pointers lead to the beginning, into the middle and to the end; the file is closed, a part unmapped, another one mapped. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT 4096 /* whole pages: the end of the mapping is the end of the file */

struct table {
    const int *begin, *end, *middle;
    const int *rows[4];
};

static void *mapped(const char *path, size_t bytes, int is_shared)
{
    int file = open(path, O_RDONLY);
    void *got;
    if (is_shared)
        got = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    else
        got = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (got == MAP_FAILED) {
        perror(path);
        exit(1);
    }
    return got;
}

static void fill(const char *path, int factor)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    for (int i = 0; i < COUNT; i++) {
        int number = i * factor % 1009;
        fwrite(&number, sizeof number, 1, file);
    }
    fclose(file);
}

static void look(struct table *table, const int *numbers)
{
    table->begin = numbers;
    table->end = numbers + COUNT;
    table->middle = numbers + COUNT / 2;
    for (int row = 0; row < 4; row++)
        table->rows[row] = numbers + row * 100;
}

int main(void)
{
    struct table one, other;
    fill("first.bin", 7);
    fill("second.bin", 11);
    look(&one, mapped("first.bin", COUNT * sizeof(int), 0));
    look(&other, mapped("second.bin", COUNT * sizeof(int), 1));
    int file = open("first.bin", O_RDONLY);
    int *own = mmap(NULL, COUNT * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    if (own == MAP_FAILED)
        return 1;
    unsigned long sum = 0;
    const int *cursor = one.begin;
    for (int step = 0; step < 400; step++) {
        for (const int *at = one.begin; at < one.end; at++)
            sum = sum * 3 + *at;
        if (step == 150) {
            munmap((void *)other.begin, COUNT * sizeof(int));
            fill("third.bin", 13);
            look(&other, mapped("third.bin", COUNT * sizeof(int), 0));
        }
        own[step] += (int)(sum % 100);
        sum += own[step / 2] + one.rows[step % 4][step] + other.middle[step] + *cursor;
        cursor = cursor + 61 < one.end ? cursor + 61 : one.begin;
    }
    printf("%lu %ld %ld\n", sum, (long)(one.end - one.begin), (long)(other.middle - other.begin));
    munmap((void *)one.begin, COUNT * sizeof(int));
    munmap((void *)other.begin, COUNT * sizeof(int));
    munmap(own, COUNT * sizeof(int));
    return 0;
}
