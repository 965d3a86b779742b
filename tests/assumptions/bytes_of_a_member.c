// auto resumes 3 9
// assumes what is read as a number from `struct log`, and something is computed from, is no part of a pointer that lies there
#include <stdio.h>
#include <stdlib.h>

struct log { FILE *to; int count; char name[12]; };

/* All bytes that are given, as CRCs and hashes read them. */
static unsigned mix(const void *from, size_t length)
{
    const unsigned char *next = from;
    unsigned all = 17;
    while (length-- > 0)
        all = all * 31 + *next++;
    return all;
}

int main(void)
{
    struct log *logs = calloc(8, sizeof *logs);
    unsigned sums[8] = { 0 };
    for (int i = 0; i < 8; i++) {
        logs[i].to = fopen("/dev/null", "w");
        snprintf(logs[i].name, sizeof logs[i].name, "log%d", i);
    }
    for (int step = 0; step < 12; step++)
        for (int i = 0; i < 8; i++) {
            logs[i].count += step + i;
            fprintf(logs[i].to, "%d\n", logs[i].count);
            sums[i] += mix(&logs[i].count, sizeof logs[i].count);
            sums[i] += mix(logs[i].name, sizeof logs[i].name);
        }
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum = sum * 7 + sums[i];
    printf("%u\n", sum);
    return 0;
}
