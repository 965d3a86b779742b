/* Memory that the program maps for itself is a block like any other: a restart gives one in its place, and it is unmapped and made
   longer as ever. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct field {
    double *values;
    size_t count, bytes;
};

static void *pages(size_t bytes)
{
    void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return got;
}

static void give_back(struct field *one)
{
    if (munmap(one->values, one->bytes) != 0) {
        perror("munmap");
        exit(1);
    }
    one->values = NULL;
}

int main(void)
{
    struct field old = {pages(3000 * sizeof(double)), 3000, 3000 * sizeof(double)};
    struct field new = {pages(3000 * sizeof(double)), 3000, 3000 * sizeof(double)};
    double sum = 0;
    for (int step = 0; step < 30; step++) {
        if (step == 14) {
            size_t bytes = 5000 * sizeof(double);
            double *longer = mremap(old.values, old.bytes, bytes, MREMAP_MAYMOVE);
            if (longer == MAP_FAILED)
                return 1;
            give_back(&new);
            old = (struct field){longer, 5000, bytes};
            new = (struct field){pages(bytes), 5000, bytes};
        }
        old.values[0] = old.values[1500] = step % 17;
        for (size_t i = 1; i + 1 < old.count; i++)
            new.values[i] = 0.5 * old.values[i] + 0.25 * (old.values[i - 1] + old.values[i + 1]) + 1e-3 * step;
        struct field swap = old;
        old = new;
        new = swap;
        sum += old.values[step * 50];
    }
    printf("%.17g\n", sum);
    give_back(&old);
    give_back(&new);
    return 0;
}
