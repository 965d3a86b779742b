/* Files that are changed where they lie: closed at the checkpoint or open, by streams and descriptors, cut off, through a link, and
   written anew after they were read. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counter {
    const char *name;
    long value;
};

/* Closed before the checkpoint: a number that is read and written again. */
static void count(struct counter *counter, int step)
{
    FILE *f = fopen(counter->name, "r+");
    if (f == NULL || fscanf(f, "%ld", &counter->value) != 1)
        exit(1);
    rewind(f);
    fprintf(f, "%12ld\n", counter->value * 3 % 1000003 + step);
    fclose(f);
}

/* The same through a descriptor, which becomes longer as well. */
static void record(int step)
{
    long first = 0;
    int fd = open("record.txt", O_RDWR | O_CREAT, 0644);
    if (pread(fd, &first, sizeof first, 0) < 0)
        exit(1);
    first = first * 5 % 1000003 + step;
    pwrite(fd, &first, sizeof first, 0);
    pwrite(fd, &first, sizeof first, (step + 1) * (long)sizeof first);
    close(fd);
}

/* Read, and then written anew: emptied, replaced, or removed before. */
static void again(const char *name, int how)
{
    long value = 1;
    FILE *f = fopen(name, "r");
    if (f != NULL) {
        if (fscanf(f, "%ld", &value) != 1)
            exit(1);
        fclose(f);
    }
    if (how == 2)
        remove(name);
    f = fopen(how == 1 ? "again.tmp" : name, "w");
    fprintf(f, "%ld\n", value * 7 % 1000003);
    fclose(f);
    if (how == 1)
        rename("again.tmp", name);
}

int main(void)
{
    double x = 1;
    long sum = 0, ring[5] = {1, 2, 3, 4, 5};
    struct counter one = {"one.txt", 0}, linked = {"link", 0};
    FILE *f = fopen("one.txt", "w");
    fprintf(f, "%12d\n", 17);
    fclose(f);
    f = fopen("target.txt", "w");
    fprintf(f, "%12d\n", 23);
    fclose(f);
    unlink("link");
    if (symlink("target.txt", "link"))
        return 1;
    int fd = open("ring.txt", O_RDWR | O_CREAT | O_TRUNC, 0644);
    write(fd, ring, sizeof ring);
    FILE *kept = fopen("kept.txt", "w+");
    fprintf(kept, "%12d\n", 1);
    FILE *cut = fopen("cut.txt", "w");

    for (int step = 0; step < 24; step++) {
        for (int k = 0; k < 2000; k++)
            x = x * 1.0000001 + 0.5;
        count(&one, step);
        count(&linked, step);
        record(step);
        again("emptied.txt", 0);
        again("replaced.txt", 1);
        again("removed.txt", 2);
        pread(fd, ring, sizeof ring, 0);
        ring[step % 5] = (ring[step % 5] * 11 + ring[(step + 1) % 5]) % 1000003;
        pwrite(fd, ring, sizeof ring, 0);
        if (step % 8 == 7 && ftruncate(fd, 4 * sizeof ring[0]))
            return 1;
        rewind(kept);
        if (fscanf(kept, "%ld", &sum) != 1)
            return 1;
        rewind(kept);
        fprintf(kept, "%12ld\n", sum * 13 % 1000003 + step);
        fprintf(cut, "step %d\n", step);
        if (step == 12) {
            fflush(cut);
            if (truncate("cut.txt", 21))
                return 1;
            fseek(cut, 0, SEEK_END);
        }
    }
    printf("%.17g %ld %ld %ld %ld\n", x, sum, one.value, linked.value, ring[2]);
    fclose(kept);
    fclose(cut);
    close(fd);
    unlink("link");
    return 0;
}
