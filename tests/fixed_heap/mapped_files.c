/* Structs that are carved from one block point into files that are mapped, and to their ends. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT 4096

struct text {
    const int *begin, *end, *at;
    struct text *next;
};

struct list {
    struct text *first;
    long sum;
};

static char *pool;
static size_t used;

static void *carve(size_t bytes)
{
    void *got = pool + used;
    used += (bytes + 15) & ~(size_t)15;
    return got;
}

static const int *numbers(const char *path, int factor)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < COUNT; i++) {
        int number = i * factor % 1009;
        if (write(file, &number, sizeof number) != sizeof number)
            exit(1);
    }
    const int *got = mmap(NULL, COUNT * sizeof(int), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (got == MAP_FAILED)
        exit(1);
    return got;
}

int main(void)
{
    pool = malloc(4096);
    struct list *all = carve(sizeof *all);
    all->first = NULL;
    all->sum = 0;
    const char *names[] = {"one.bin", "two.bin", "three.bin"};
    for (int i = 0; i < 3; i++) {
        struct text *one = carve(sizeof *one);
        one->begin = one->at = numbers(names[i], 7 + i);
        one->end = one->begin + COUNT;
        one->next = all->first;
        all->first = one;
    }
    int file = open("one.bin", O_RDONLY);
    int *own = mmap(NULL, COUNT * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    if (own == MAP_FAILED)
        return 1;
    for (int step = 0; step < 300; step++) {
        for (struct text *one = all->first; one; one = one->next) {
            all->sum = all->sum * 3 + *one->at;
            one->at = one->end - one->at > 97 ? one->at + 97 : one->begin;
        }
        own[step] += (int)(all->sum % 100);
        all->sum += own[step / 2];
    }
    printf("%ld\n", all->sum);
    return munmap(own, COUNT * sizeof(int)) != 0;
}
