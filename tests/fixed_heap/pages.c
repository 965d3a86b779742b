/* Pages that are aligned by giving back what is too much on both sides. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#define WIDE 65536
#define OWN (MAP_PRIVATE | MAP_ANONYMOUS)

int main(void)
{
    char *wide = mmap(NULL, 3 * WIDE, PROT_READ | PROT_WRITE, OWN, -1, 0);
    long sum = 0;
    if (wide == MAP_FAILED)
        return 1;
    size_t ahead = (WIDE - (uintptr_t)wide % WIDE) % WIDE;
    if (ahead)
        munmap(wide, ahead);
    munmap(wide + ahead + WIDE, 2 * WIDE - ahead);
    unsigned char *aligned = (unsigned char *)wide + ahead;
    for (int step = 0; step < 30; step++) {
        for (int at = 0; at < WIDE; at += 64)
            aligned[at] += step + at / 64;
        sum = sum * 3 + aligned[step * 1024];
    }
    printf("%ld\n", sum);
    return munmap(aligned, WIDE) != 0;
}
